"""The verbs and small words that ship: what a wish may be said with."""

from __future__ import annotations

from planvow.goals.values.config import FILE_ACTIONS

VERBS = {
    "OPEN": {
        "open": "open, open up, pull up, bring up, load, load up, get me onto, pop open, throw open, crack open, "
        "chuck open, "
        "call up, pop up, put up, get into, get me into, go into, jump into, hop into, dive into, take me into, "
        "step into, "
        "let me into, summon, bring out, pull out, click on, double-click, double click, double click on, tap, tap on",
        "launch": "launch, start, start up, run, fire up, boot up, spin up, boot, crank up, kick off, turn on, "
        "switch on, activate, execute, power up, power on, initiate, wake up, whip out, break out, invoke, "
        "trigger, unleash, rev up, ramp up, light up, get going with",
    },
    "GO": {
        "go": "go to, goto, go over to, go on, go onto, go on over to, head to, head over to, head on over to, head "
        "for, visit, navigate to, navigate over to, browse to, browse, take me to, take us to, bring me to, get me "
        "to, get me over to, send me to, jump to, jump over to, jump on, jump onto, hop over to, hop to, hop on, "
        "hop onto, surf "
        "to, point me to, point me at, direct me to, take me over to, pop over to, pop to, swing by, drop by, stop "
        "by, switch over to, check out, access, get on, get onto, get to, carry me to, lead me to, show me to, move "
        "over to, transport me to, point the browser at, point the browser to, point my browser at, point my "
        "browser to, "
        "direct the browser to, direct my browser to, send the browser to, aim the browser at, aim my browser "
        "at, go look at, go see, go check out, go and see, go and visit, go and look at, "
        "proceed to, zip over to, land on, guide me to, steer me to"
    },
    "SEARCH": {
        "search": "search, search up, do a search, run a search, hunt, hunt around, have a search",
        "look up": "look up",
        "look for": "look for, have a look for, take a look for, look around for",
        "find": "find, find me, locate, find us, track down, hunt down, seek out, dig up, dig out",
        "google": "google",
    },
    "FETCH": {"look up": "research, shop for, explore, seek, read up on, check for, scout for, see, hear, "
    "listen to, learn about, find out about, look into, show me, show us, get me, get, fetch me, fetch, check, pull "
    "up, bring up, give me, play me, dig around for, rummage for, browse for, browse, check out, hunt for, study, "
    "scour for, stream, discover, gather, dig for, root around for"},
    "COMB": {"look up": "scour, query, comb, comb through, check, ask, scan, browse, browse through, try, trawl, "
    "trawl through, explore, sift through, search through, dig through, look through, consult, hit up, poke around, "
    "dig around, dig around on, rummage through, go through, look around, look around on, poke around on, hunt "
    "through, hunt around on, check on, look over, scroll through, search within, search inside"},
    "WRITE": {
        "write": "write, save, put, type, store, write down, enter, key in, type in, stick, place",
        "append": "append, add, tack, attach, tack on, add on, insert",
    },
    "PUT": {"put": "put, place, stick, drop"},
    "CREATE": {
        "create":
        "create, make, put together, generate, set up, add, build, start, make me, create me, make us, "
        "produce, establish, form, craft, whip up, start off, start me, initialize, initialise, construct, "
        "spin up, prepare, draw up, cook up, lay out, knock up, throw together, build me, whack, plop, knock together",
        "want":
        "i need, we need, what i need is, i want, i would like, i'd like, i'd need, i would need, "
        "give me, get me, i require, we "
        "require, i want to have, i need to have, i'd love, i would love, i could use, we could use, i could "
        "do with, can i have, could i have, may i have, can i get, could i get, can we get, can we have, "
        "could we have, could we get, i'll need, i will need, we'll need, i'm going to need, i am going to "
        "need, we're going to need, i'm gonna need, i'll have, let's have, let me have, let there be, there "
        "should be, there needs to be, there must be, there has to be, there ought to be, set me up with, fix "
        "me up with, i'm in need of, what i want is, what i'd like is, what i'd love is, what i require is, "
        "i'm after, we're after, could do with, time we had, high time we had",
    },
    "DELETE": {"delete": "delete, remove, erase, get rid of, trash, throw away, throw out, bin, discard, scrap, wipe, "
    "ditch, dump, nuke, chuck, chuck out, chuck away, purge, kill, destroy, toss, toss out, toss away, do away with, "
    "eliminate, wipe out, dispose of, junk, blow away, expunge, obliterate, clear away, clear out, take out, rid "
    "me of"},
    "RENAME": {"rename": "rename, retitle, relabel, re-name, rechristen"},
    "MOVE": {"move": "move, relocate, transfer, shift, drag, shove, migrate, haul, move over"},
    "COPY": {"copy": "copy, duplicate, clone, back up, replicate, mirror, make a copy of, create a copy of, make a "
    "duplicate of, save a copy of, make a backup of, make a backup copy of, take a copy of, put a copy of, place a "
    "copy of, create a duplicate of, create a backup of, keep a copy of, i need a copy of, i want a copy of, i'd like "
    "a copy of, give me a copy of, make me a copy of, store a copy of, drop a copy of, stick a copy of, send a copy "
    "of, make another copy of"},
    "READ": {"read": "read, read me, read out, read through, read us, view, "
    "display, show, show me, show us, print out, let me see, let me read, let us see, have a look at, take a look at, "
    "look at, peek at, peek into, have a peek at, take a peek at, look inside, look into, have a look inside, have a "
    "look in, take a look inside, see, can i see, could i see, may i see, can we see, inspect, examine, go "
    "through, output, recite, let me view, let me look at, have a gander at, take a gander at, get a look at, "
    "let me have a look at, let me have a gander at, let me have a peek at, can i get eyes on, get me a peek "
    "at, get me a look at, give me a look at, have a read of, i want a look at"},
    "LIST": {"list": "list, list out, show, show me, show us, display, give me, print, let me see, let us see, "
    "enumerate, have a look at, take a look at, look at, look inside, look into, look in, have a look inside, have a "
    "look in, see, can i see, could i see, may i see, can we see, peek into, browse, view, name, list me, give me a "
    "list of, get me a list of, show me a list of, tell me, inspect, explore, i want to see, let me look at, check, "
    "go through, get me a peek at, get me a look at, give me a look at, have a gander at, take a gander at, i want a "
    "look at"},
}  # fmt: skip
"""Class of verbs → what a verb of it is called further on → how it is said."""

NAMING = {"APP", "BROWSER", "PLATFORM", "PAGE", "ENGINE", "QUERY", "LONGQUERY", "ANCHOR"}
"""Classes of names."""
SLIPPERY = {
    "WRITE", "OPEN", "GO", "SEARCH", "CREATE", "RENAME", "MOVE", "COPY", "READ", "LIST", "NOUN", "DELETE", "NOUNS",
    "CALLED", "CONTENT", "FETCH", "COMB", *NAMING,
}  # fmt: skip
"""Classes of which a slip of the finger is mended."""

JOINTS = {
    "and": ", | , and | and | and also | , and also | also | , also | plus | , plus | and plus | as well as | & | . "
    "| . and | . also"
    " | and please | , and please | . please | along with | together with | , then also | on top of that | , and in "
    "addition | in addition"
    " | , as well as | and , | and , also , | , and , also ,",
    "plus": "+",
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
    "please | and subsequently | , then , finally | , then , finally , | , and then finally | and then finally "
    "| , then finally | and , after that , | and , after that | and , then , | and , afterwards , | and , finally ,",
}  # fmt: skip
"""What stands between steps; `,` and `.` are any mark that pauses or ends."""

WORDS = {
    "DET": "a, an, the, my, new, another, empty, brand new, blank, fresh, our, your, some new, "
    "extra, additional, simple, plain, nice, shiny, little, small, quick, new empty, single",
    "CALLED": "called, named, titled, with the name, with name, by the name of, entitled, labelled, labeled, and "
    "call it, and name it, that is called, that's called, which is called, with the title, under the name, under the "
    "name of, name :, called :, named :, to be called, to be named, dubbed, going by the name of, that i can call, "
    "that goes by, and title it, whose name is, with a name of, known as, we'll call, i'll call, and i want it "
    "called, of name, of the name, having the name",
    "PREP": "in, inside, into, on, onto, within, under, at, from, to, over to, in to, on to, inside of",
    "INTO": "in, into, inside, within",
    "WEB": "online, on the web, on the internet, on the net",
    "CONTENT": "with content, with the content, with the contents, with contents, with text, with the text, "
    "containing, that says, saying"
    ", which says, that contains, containing the text, with the words, reading, that reads, with the line, "
    "containing the line"
    ", with content :, with the text :, with the content :, containing the words, that contains the text, with the "
    "message, with the sentence, which contains, with the following text :, with the following content :, "
    "containing :, with the phrase, which reads, "
    "that just says, that simply says, with just the text, with just the words, holding the text, "
    "whose content is, whose contents are, whose text is, and have it say, and let it say, that has the text, which "
    "has the text, with the body, with the words :, with the line :, having the text, having the content, it should "
    "say, it should contain, and it should say, and it should contain, to say, with this text :, with this in it :, "
    "with this content :, with this text inside :, with the following inside :",
}  # fmt: skip
NOUNS = {
    "folder": "folder, directory, dir, subfolder, sub-folder, subdirectory, sub folder",
    "file": "file, document file, empty file, document",
    "file.txt": "text file, txt file, plain text file, text document",
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
    "running programs": "running apps, running processes, running tasks, running applications, programs running, "
    "apps running, processes running, open programs, active programs, active processes, list of running programs, "
    "list of running apps, list of running processes, currently running programs",
    "time": "current time, local time, time now, exact time, clock, hour, system time, time of day, correct time",
    "date": "day, current date, calendar date, date today, day today, today's date, current day, day of the week, "
    "weekday, system date",
    "disk space": "free disk space, free space, storage, storage space, free storage, space on the disk, disk space "
    "left, remaining disk space"
    ", disk usage, disk use, available disk space, hard drive space, free space on the disk, space on my disk, hard "
    "disk space, "
    "disk, drive space, available space, available storage, space, room on the disk, room on my disk, free disk, "
    "remaining space, remaining storage, space on the hard drive, space on my hard drive, space left on the disk, "
    "space left on my disk, hdd space, ssd space, free room, room, disk capacity, hard drive, free space on my disk",
    "memory": "ram, free ram, available memory, memory usage, free memory, available ram, ram usage, memory left, "
    "memory available, working memory, remaining memory, system memory, spare memory, memory use, ram use",
    "cpu": "cpu usage, cpu load, cpu use, processor load, processor usage, load on the cpu, cpu utilisation, "
    "cpu utilization, load of the cpu, current load",
    "battery": "battery level, battery status, battery percentage, battery charge, battery life, charge, "
    "battery power, remaining battery, battery left, power level, juice, "
    "charge level, battery remaining, battery state, state of the battery, charge of the battery, battery's charge, "
    "charging level, level of the battery, power left, battery percent, laptop battery",
    "ip address": "ip, ip addr, this machine's ip address, local ip address, ip number, ip adress, "
    "network address, internet address, this computer's ip address, this "
    "computer's ip, machine's ip address, machine's ip, computer's ip, computer's ip address, current ip address, "
    "own ip address, current ip, this machine's ip, address on the network, public ip, private ip, local ip",
}  # fmt: skip
"""More words for the questions a configuration knows."""
ACTIONS = {action.upper(): action for action in FILE_ACTIONS}
