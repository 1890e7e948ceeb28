"""The verbs and small words that ship: what a wish may be said with."""

from __future__ import annotations

from planvow.goals.values.config import FILE_ACTIONS

VERBS = {
    "OPEN": {
        "open": "open, open up, pull up, bring up, load, load up, get me onto",
        "launch": "launch, start, start up, run, fire up, boot up, spin up",
    },
    "GO": {
        "go": "go to, goto, go over to, go on, go onto, head to, head over to, visit, navigate to, browse to, "
        "browse, take me to, bring me to"
        ", get me to, send me to, jump to, surf to, point me to, direct me to, take me over to"
    },
    "SEARCH": {
        "search": "search, search up, do a search, run a search, hunt",
        "look up": "look up",
        "look for": "look for",
        "find": "find, find me, locate",
        "google": "google",
    },
    "WRITE": {"write": "write, save, put, type, store", "append": "append, add, tack"},
    "PUT": {"put": "put, place, stick, drop"},
    "CREATE": {"create": "create, make, put together, generate, set up, add, build, start, i need, we need, what i "
    "need is, i want, i would like, i'd like, give me, get me, make me, create me"},
    "DELETE": {"delete": "delete, remove, erase, get rid of, trash, throw away, throw out, bin, discard"},
    "RENAME": {"rename": "rename"},
    "MOVE": {"move": "move, relocate, transfer, shift"},
    "COPY": {"copy": "copy, duplicate, clone, back up, make a copy of, create a copy of"},
    "READ": {"read": "read, read me, read out, view, display, show, show me, print out, let me see, have a look at, "
    "take a look at, look at"},
    "LIST": {"list": "list, show, show me, display, give me, print, let me see, enumerate, have a look at, take a "
    "look at, look at"},
}  # fmt: skip
"""Class of verbs → what a verb of it is called further on → how it is said."""

SLIPPERY = {"WRITE", "OPEN", "GO", "SEARCH", "CREATE", "RENAME", "MOVE", "COPY", "READ", "LIST", "NOUN", "DELETE"}
"""Classes of which a single slip of the finger is mended."""

JOINTS = {
    "and": ", | , and | and | and also | , and also | also | , also | plus | , plus | and plus | as well as | & | . "
    "| . and | . also"
    " | and please | , and please | . please | along with | together with | , then also | on top of that | , and in "
    "addition | in addition"
    " | , as well as | and ,",
    "then": "then | and then | , then | , and then | . then | after that | and after that | , after that | , and "
    "after that | . after that"
    " | after that , | . after that , | , after that , | . then , | , then , | and then , | then , | afterwards | "
    "and afterwards | , and afterwards | , and following that | and following that | and , on top of that , | , and "
    "on top of that | , and while you're at it | and while you're at it | , afterwards"
    " | . afterwards | . afterwards , | next | , next | . next | . next , | and next | finally | , finally | and "
    "finally | , and finally"
    " | . finally | . finally , | , and lastly | , lastly | . lastly | . lastly , | followed by | , followed by | , "
    "and when that 's done"
    " | and then also | and once that's done | , and once that's done | once that's done | . once that's done , | , "
    "once that's done , | and when that's done | and once that is done | . then please | , then please | and then "
    "please | and subsequently",
}  # fmt: skip
"""What stands between steps; `,` and `.` are any mark that pauses or ends."""

WORDS = {
    "DET": "a, an, the, my, new, another, empty, brand new, blank, fresh, our, your",
    "CALLED": "called, named, titled, with the name, with name, by the name of, entitled, labelled, labeled, and "
    "call it, and name it",
    "PREP": "in, inside, into, on, onto, within, under, at, from, to, over to, in to, on to, inside of",
    "WEB": "online, on the web, on the internet, on the net",
    "CONTENT": "with content, with the content, with the contents, with contents, with text, with the text, "
    "containing, that says, saying"
    ", which says, that contains, containing the text, with the words, reading, that reads, with the line, "
    "containing the line"
    ", with content :, with the text :, with the content :, containing the words, that contains the text, with the "
    "message, with the sentence, which contains",
}  # fmt: skip
NOUNS = {
    "folder": "folder, directory, dir, subfolder, sub-folder, subdirectory",
    "file": "file, document file, empty file",
    "file.txt": "text file, txt file, plain text file",
    "file.md": "markdown file, md file",
    "file.py": "python file, python script, py file",
    "file.json": "json file",
    "file.csv": "csv file",
    "file.html": "html file",
    "file.js": "javascript file, js file",
    "file.yaml": "yaml file",
    "file.toml": "toml file",
    "file.css": "css file",
    "file.xml": "xml file",
    "file.sh": "shell script",
}
"""Nouns; a sort of file says how a name without an ending ends."""
PLURALS = {"folder": "folders, directories, dirs, subfolders", "file": "files, text files"}
QUERIES = {
    "time": "current time, local time",
    "date": "day, current date",
    "disk space": "free disk space, free space, storage, storage space, free storage, space on the disk, disk space "
    "left, remaining disk space"
    ", disk usage, available disk space, hard drive space, free space on the disk",
    "memory": "ram, free ram, available memory, memory usage",
    "battery": "battery level, battery status, battery percentage, battery charge, battery life, charge",
    "ip address": "ip, ip addr, this machine's ip address, local ip address, ip number, ip adress",
}  # fmt: skip
"""More words for the questions a configuration knows."""
ACTIONS = {action.upper(): action for action in FILE_ACTIONS}
