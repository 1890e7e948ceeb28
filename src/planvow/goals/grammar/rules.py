"""The grammar of wishes. `notation` says how to read it; capitals are classes of the lexicon."""

from __future__ import annotations

from planvow.goals.grammar.notation import read_rules

RULES = read_rules("""
# a wish is steps with joints between them; a step without a verb goes on with the verb before it
wish: <step*=step>
wish: <step*=step> <joint*=JOINT> <wish>
step: [<lead>] <act=act> [<tail>]
step: [<lead>] <front> [<PAUSE>] [please] <act=act> [<tail>]
step: [the] <thing=known> [<tail>] -> more
step: <thing=other> -> more ; 3
step: <object=object> [<where>] -> moreobject ; 0.2
step: <whose> <query=QUERY> -> morequery
step: <object=object> to|as <new=name> -> morerename ; 0.2
step: <object=object> <prep=PREP> <there=location> -> moretransfer ; 0.2
step: <content=literal> to|in|into <object=object> -> morewrite ; 0.2
lead: first|firstly|also|please|now|next|kindly|just|quickly [<PAUSE>]
lead: first of all [<PAUSE>]
lead: to start|begin with [<PAUSE>]
tail: too|please|first
tail: as well
tail: afterwards|immediately|instantly
tail: right now|away
tail: while you're at it
tail: for me
front: on|in|using|with|via|through <browser=BROWSER> [browser]
front: on|in|using|with|via|through <platform=PLATFORM>
front: over on <platform=PLATFORM>
front: <where>

# searches
act: <verb=SEARCH> [<for=for>] <query=text> -> search ; 2
act: <verb=SEARCH> [<for=for>] <query=text> <there> -> search ; 0.5
act: <verb=SEARCH> [<on=on>] [the] <platform=PLATFORM> [<inbrowser>] <for=for> <query=text> -> search ; 0.3
act: <verb=SEARCH> [<on=on>] [the] <platform=PLATFORM> <for=for> <query=text> <inbrowser> -> search
act: <verb=SEARCH> <web=web> <for=for> <query=text> -> search ; 1
act: <verb=SEARCH> <web=web> <for=for> <query=text> <inbrowser> -> search
act: look <query=text> up [<there>] -> lookup
act: use <platform=PLATFORM> to <verb=SEARCH> [<for=for>] <query=text> -> search
act: use <browser=BROWSER> to <verb=SEARCH> [<for=for>] <query=text> [<onplatform>] -> search
act: use <browser=BROWSER> to <verb=reach> <thing=thing> -> open
act: do|run|perform|make a|an [quick] [<engine>] search for|on|about|of <query=text> [<there>] -> dosearch
engine: web|internet|online
engine: <platform=PLATFORM>
act: (<verb=OPEN> / <verb=GO>) <platform=PLATFORM> to <SEARCH> [for] <query=text> -> dosearch
act: (<verb=OPEN> / <verb=GO>) <platform=PLATFORM> and|to do a search for <query=text> -> dosearch
act: check|ask|scan|browse|try [on] [the] <platform=PLATFORM> for|about <query=text> [<inbrowser>] -> dosearch
act: look|check|search|see on|in|at|through <platform=PLATFORM> for <query=text> [<inbrowser>] -> dosearch
act: see what <platform=PLATFORM> has|says on|about <query=text> -> dosearch
act: show|see|find me <query=text> on <platform=PLATFORM> -> dosearch ; 0.5
act: see <query=text> on <platform=PLATFORM> -> dosearch ; 0.5
act: <platform=PLATFORM> <query=text> -> nameonly ; 4
act: get|fetch|find me <query=text> from|on|off <platform=PLATFORM> -> dosearch
act: <platform=PLATFORM> search [for|:] <query=text> -> dosearch
act: ask <platform=PLATFORM> <query=text> -> dosearch ; 0.5
act: use <browser=BROWSER> to <verb=SEARCH> <platform=PLATFORM> for <query=text> -> search
act: <platform=ENGINE> <query=text> -> engine ; 1
act: look something|this|that up [for me] <for=for> <query=text> -> dosearch
for: for
for: :
on: on|in|using|with|through
web: the web|internet|net
web: online|web
there: <onplatform> [<inbrowser>]
there: <inbrowser>
there: <web=WEB> [<inbrowser>]
onplatform: on|using|with|via|through|over [the] <platform=PLATFORM> [website|site]
inbrowser: in|using|with|on|via|through [the] <browser=BROWSER> [browser]
reach: <OPEN>
reach: <GO>

# what is opened
act: <verb=OPEN> [both] <thing=thing> -> open
act: <verb=OPEN> <thing=thing> <inbrowser> -> open
act: <verb=OPEN> [the] <browser=BROWSER> [browser] on|to|at|with [the] [page|website|site] <thing=pagething> -> open
act: <verb=OPEN> [the] <browser=BROWSER> [browser] to <verbb=GO> <thing=pagething> -> open
act: <verb=GO> [both] <thing=thing> -> go
act: <verb=GO> <thing=thing> <inbrowser> -> go
act: get|have <thing=known> up|running|open|going|started|opened -> open
act: get me <thing=known> -> open
act: get|have <thing=known> up and running -> open
act: open <thing=known> up -> open
act: i|we need|want <thing=known> opened|open|running|started|launched -> open
thing: <app> -> app
thing: <page> -> page
thing: <said=phrase> -> other ; 1
other: <said=phrase> -> other
pagething: <page> -> page
known: <app> -> app
known: <page> -> page
app: [<det=DET>] <app=APP> [<kind=program>]
program: app|application|program|browser
page: [<det=DET>] [<pagenoun>] <page=PAGE> [<ending=pagenoun>]
page: [<det=DET>] [<pagenoun>] <address=address>
pagenoun: website|site|page|homepage|webpage|url|address|link|link
pagenoun: home|web page
pagenoun: web site
pagenoun: page|website|site|homepage at|of|for

# files: things that are there
act: <verb=DELETE> <list> [<where>] -> delete
act: <verb=DELETE> <object=object> [<where>] [<PAUSE>] <whole=whole> -> delete
act: <verb=DELETE> <object=object> [<where>] -> delete
act: <verb=DELETE> <rest=phrase> -> delete ; 3
act: <verb=UNMAKES> <name=name> [<where>] -> unmake
act: <verb=RENAME> <object=object> [<where>] to|as|into <new=name> [<after>] -> rename
act: <verb=RENAME> <object=object> to <unquoted=words> -> rename ; 1
act: give <object=object> the name <new=name> -> rename
act: change the name of <object=object> [<where>] to <new=name> -> rename
act: <verb=RENAME> <rest=text> -> rename ; 3
act: <transfer> <object=object> [<from>] <prep=PREP> <there=location> -> transfer
act: <transfer> <objects> [<from>] <prep=PREP> <there=location> -> transfer
act: <transfer> <object=object> <prep=as> <there=location> -> transfer
act: <verb=SHELL> <object=object> <prep=as> <there=location> -> transfer
act: <verb=SHELL> <object=object> <there=shellplace> -> shell
shellplace: <name=name> -> path
act: <transfer> <rest=text> -> transfer ; 3
act: <put=PUT> <object=object> <prep=PREP> <there=location> -> put ; 0.5
whole: [along|together] and|with|including everything|all|anything [that's|that] [is] in|inside it|there
whole: and|with|including everything|anything inside
whole: [along|together] and|with|including [all|all of] its|the contents|content|files
whole: and|with|including all [of] its|the contents|content|files
whole: recursively
transfer: <verb=MOVE>
transfer: <verb=COPY>
as: as|called|named
from: from|on|in <from=location>
objects: <object*=object> <LISTED> <object*=object>
objects: <object*=object> <PAUSE> <objects>
objects: <list>
object: [<dets>] <kind=NOUN> [<called=CALLED>] <name=name> -> object
object: [<dets>] <name=name> <kind=NOUN> -> object ; 0.1
object: [<dets>] <name=name> -> object ; 0.1
list: [<dets>] [<count=COUNT>] <kinds=NOUNS> [<called=CALLED>] <names>
names: <item*=name> [<LISTED> <names>]
LISTED: <PAUSE> [and]
LISTED: and
LISTED: &
dets: <det*=DET> [<dets>]

# places
where: in|inside|into|within|under|from <place=location>
where: on|onto|at <place=spot>
where: inside of <place=location>
after: in|on|inside <place=location>
location: [the|my|your|our] <anchor=ANCHOR> [folder|directory|dir] -> anchor
location: the root of [the|my] <anchor=ANCHOR> -> anchor
spot: [the|my|your|our] <anchor=ANCHOR> [folder|directory|dir] -> anchor
spot: [the] drive <drive=LETTER> -> drive
spot: [the|my] <drive=LETTER> drive -> drive
location: [the] drive <drive=LETTER> -> drive
location: [the|my] <drive=LETTER> drive -> drive
location: [the|my|a|an|our] folder|directory|dir [<called=CALLED>] <name=name> [<within>] -> folder
location: a|an [<new=new>] folder|directory <called=CALLED> <name=name> [<within>] -> folder
location: [the|my|our|a] <name=name> folder|directory|dir|subfolder [<within>] -> folderlast
location: [<det=det>] <name=name> [<within>] -> path ; 0.1
location: it|that|there|itself -> it ; 0.3
location: that|this|the folder|one -> it ; 0.3
location: the new|same folder|one|directory -> it ; 0.3
new: new
surefolder: [the|my|our] folder|directory|dir [<called=CALLED>] <name=name> [<within>] -> folder
surefolder: the|my|our <name=name> folder|directory|dir [<within>] -> folderlast
surefolder: [the|my] <anchor=ANCHOR> [folder|directory] -> anchor
det: the|my
within: on|in|inside|of [the|my] <anchor=ANCHOR> [folder|directory]
within: on [the] drive <drive=LETTER>

# files: things that are made
act: <verb=CREATE> [me] <made> -> create
act: <verb=PUT> <made> -> putnew
act: <verb=CREATE> [me] <list> [<mods>] -> createlist
act: <verb=CREATE> [me] <rest=text> -> create ; 3
act: <verb=MAKES> <name=name> [<where>] -> make
act: <verb=MAKES> <rest=text> -> make ; 3
act: [<verbb=CREATING>] inside|in|into <it=it> [<PAUSE>] [<verb=CREATE>] <made> -> create
act: [<verbb=CREATING>] inside|in|into <it=it> [<PAUSE>] [<verb=CREATE>] <list> -> createlist
act: <made> inside|in|into <it=it> -> createmore
act: <item*=madenode> <LISTED> <item*=madenode> inside|in <it=it> -> several
madenode: <made> -> made
CREATING: put|create|make|add
it: it|that|there
it: that|this|the folder
it: the new folder
made: [<dets>] <kind=NOUN> <mods>
made: [<dets>] <name=name> <kind=NOUN> [<mods>] ; 0.1
made: [<dets>] <name=name> [<mods>] ; 0.2
mods: <mod> [[and] <mods>]
mod: [<called=CALLED>] <name=name>
mod: <called=CALLED> <unquoted=words> ; 2
mod: <unquoted=words> ; 2.5
mod: <where>
mod: : <name=name>
mod: [<PAUSE>] content|text : <content=literal>
mod: for me|us|you
mod: to <place=surefolder>
mod: <says=CONTENT> <content=literal> [to|in|into it] [inside] [in it]
mod: <says=CONTENT> <said=text> ; 1
mod: with <content=literal>
mod: with <said=text> ; 2.5
mod: with|containing|holding [just] [a|an|another] <inner=innermade> [inside|in] [it|there]
innermade: [<dets>] <kind=NOUN> [<called=CALLED>] <name=name> -> made

# what is written, read and listed
act: <verb=WRITE> [<wording>] <content=literal> to|in|into|onto|inside <object=object> [<where>] -> write
act: <verb=WRITE> [<wording>] <content=literal> to|at|onto [the] end|bottom of|to <object=object> [<where>] -> writeend
act: <verb=WRITE> to|in|into <object=object> [:] <content=literal> -> write
act: <verb=WRITE> [<wording>] <content=literal> to|in|into <it=it> -> write
act: <verb=WRITE> [<wording>] <unquoted=text> to|in|into <object=object> -> write ; 1.5
act: set the content|contents|text of <object=object> to <content=literal> -> overwrite
act: extend <object=object> with <content=literal> -> writeend
act: overwrite|replace [<contentsof>] <object=object> [<where>] with [<wording>] <content=literal> -> overwrite
contentsof: [the] contents|content|text of|in
contentsof: what's|whatever in|inside
contentsof: what is in|inside
act: <verb=WRITE> <rest=text> -> write ; 3
wording: [the|a|this] text|line|word|words|sentence|message|string|note [:]
wording: :
act: <verb=READ> <object=object> [<where>] -> read
act: <verb=READ> [me] [the] contents|content|text of|in|inside <object=object> [<where>] -> read
act: <whatis> in|inside <object=object> [<where>] -> readifafile
act: what does <object=object> say|contain -> readifafile
act: <whatis> written in|inside|on <object=object> -> readifafile
act: <READ> <whatis> written in|inside <object=object> -> readifafile
act: <READ> <whatis> in|inside <object=object> -> readifafile
act: <verb=READ> <rest=text> -> read ; 3
act: <verb=LIST> [me] <LISTNOUN> in|inside|on|of|from|under|within <place=location> -> list
act: <verb=LIST> [me] <place=folderobject> [<within>] -> list
act: <verb=LIST> <whatis> in|on|inside <place=location> -> list
whatis: what's|whats
whatis: what is|are|files
whatis: what files are
act: <whatis> in|on|inside <place=location> -> listifafolder
act: what|which files|folders|items|things are [there] in|on|inside <place=location> -> list
act: what|which files|folders do|have i have|got in|on|inside <place=location> -> list
act: what does <place=folderobject> contain -> list
act: ls|dir <place=location> -> list
act: <verb=LIST> [the|my|our] <anchorplace> -> list
anchorplace: <place=anchorfolder>
anchorfolder: <anchor=ANCHOR> folder|directory -> anchor
act: <verb=LIST> <rest=text> -> list ; 3
folderobject: [<dets>] folder|directory|dir [<called=CALLED>] <name=name> -> folder
folderobject: [the|my] <name=name> folder|directory -> folderlast
folderobject: <name=quoted> -> quotedfolder
LISTNOUN: [<all=all>] [of] [the|my] files|contents|content|items|folders|stuff|things|documents
LISTNOUN: [<all=all>] [of] [the] files and folders
LISTNOUN: <all=everything>
everything: everything
all: all

# questions about the machine
act: what time is it [now] [right] [now] -> time
act: what|which day|date is it [today] -> date
act: what|whats|what's [is] <whose> <query=QUERY> [now|today|please] -> query
act: what|whats|what's [is] <whose> <query=QUERY> right now -> query
act: how much <query=QUERY> is|remains [left|free|available|there] [left] -> query
act: how much <query=QUERY> do i have|have [left|free|available] -> query
act: how much <query=QUERY> have i got [left] -> query
act: <know> <whose> <query=QUERY> [please|now] -> query
act: <know> how much <query=QUERY> i have|is|remains [left|free|available] -> query
act: <know> what time it is [now] -> time
act: <know> what day it is [today] -> date
act: <query=LONGQUERY> -> longquery
know: tell|show|give me
know: check|see|know
know: find out
know: let me know
know: do|did you know
know: could|can|may|might i|we trouble|ask|bother you for
know: i'd like|love to know
whose: <whose=the>
whose: my|our
the: the|today's|current
the: the current
""")
