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
step: [again|also] [on] <platform=PLATFORM> for <query=text> -> moresearch ; 0.4
step: for <query=text> -> moresearch ; 0.4
step: to|on <thing=known> -> more
step: [also] to|into|onto <there=location> -> againto ; 0.3
step: <platform=PLATFORM> <query=text> -> moreplatform ; 1.5
step: <made=madenode> -> moremade ; 1.5
step: for <query=text> <there> -> moresearch ; 0.3
step: [<again=again>] on|in <platform=PLATFORM> [too] -> searchagain ; 0.3
again: again|also
step: [also] one|another [one] [<within>] <called=CALLED> <name=name> [<where>] -> moreone ; 0.2
lead: first|firstly|also|please|now|next|kindly|just|quickly [<PAUSE>]
lead: first of all [<PAUSE>]
lead: to start|begin with [<PAUSE>]
lead: can|could|would|will you [please|also|then|kindly|maybe|just]
lead: please could|can you
lead: i [also|then|really] need|want you to [also|please|then]
lead: i'd [also|then] like you to [also|please|then]
lead: i [also|then] want|need to
lead: i'd also like to
lead: i would [also] like [you] to
lead: go ahead and
lead: let's [also|then]
lead: secondly|second|thirdly|third|lastly|finally|afterwards|additionally|further [<PAUSE>]
tail: too|please|first
tail: as well
tail: afterwards|immediately|instantly
tail: for us
tail: at once
tail: straight away
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
act: use <platform=PLATFORM> and|to <FETCH> <query=text> -> dosearch ; 0.3
act: use <browser=BROWSER> to <verb=SEARCH> [<for=for>] <query=text> -> search ; 1.5
act: use <browser=BROWSER> to <verb=SEARCH> [<for=for>] <query=text> <onplatform> -> search ; 0.5
act: use <browser=BROWSER> to <verb=reach> <thing=thing> -> open
act: do|run|perform|make|try|start|conduct|give a|an [quick|little|fast|new] [<engine>] search for|on|about|of <query=text> [<there>] -> dosearch
engine: web|internet|online
engine: <platform=PLATFORM>
act: (<verb=OPEN> / <verb=GO>) <platform=PLATFORM> to <SEARCH> [for] <query=text> -> dosearch
act: (<verb=OPEN> / <verb=GO>) <platform=PLATFORM> and|to do a search for <query=text> -> dosearch
act: <COMB> [the] <platform=PLATFORM> for|about <query=text> [<inbrowser>] -> dosearch
act: have|take a look|search|browse|dig [around] on|in|at|through <platform=PLATFORM> for <query=text> -> dosearch
act: <FETCH> <query=text> <onplatform> [<inbrowser>] -> dosearch ; 0.6
act: <FETCH> <query=text> <inbrowser> <onplatform> -> dosearch ; 0.6
act: pull|bring|dig|call <query=text> up <onplatform> [<inbrowser>] -> dosearch ; 0.4
act: type|enter|put <query=text> into|in [the] <platform=PLATFORM> [search|bar|box] -> dosearch ; 0.2
act: a|an [quick|new] [<engine>] search for|on|about <query=text> [<there>] -> dosearch ; 0.5
act: a|an [quick|new] search on|in <platform=PLATFORM> for|about <query=text> -> dosearch ; 0.2
act: do|run|perform|make a|an [quick|new] search on|in <platform=PLATFORM> for|about <query=text> -> dosearch ; 0.2
act: search on the web|internet|net for <query=text> [<inbrowser>] -> dosearch ; 0.2
act: look on the web|internet for <query=text> [<inbrowser>] -> dosearch ; 0.2
act: what does|do|would <platform=PLATFORM> say|have|know about|on|for <query=text> -> dosearch
act: see what <platform=PLATFORM> has to say about <query=text> -> dosearch
act: see what there is on|about <query=text> on <platform=PLATFORM> -> dosearch
act: look|check|search|see on|in|at|through <platform=PLATFORM> for <query=text> [<inbrowser>] -> dosearch
act: see what <platform=PLATFORM> has|says on|about <query=text> -> dosearch
act: show|see|find me <query=text> on <platform=PLATFORM> -> dosearch ; 0.5
act: see <query=text> on <platform=PLATFORM> -> dosearch ; 0.5
act: <platform=PLATFORM> <query=text> -> nameonly ; 4
act: get|fetch|find me <query=text> from|on|off <platform=PLATFORM> -> dosearch
act: <platform=PLATFORM> search [for|:] <query=text> -> dosearch
act: <platform=PLATFORM> : <query=text> -> dosearch
act: ask <platform=PLATFORM> <query=text> -> dosearch ; 0.5
act: use <browser=BROWSER> to <verb=SEARCH> <platform=PLATFORM> for <query=text> -> search
act: <platform=ENGINE> <query=text> -> engine ; 1
act: <platform=ENGINE> for|me <query=text> -> dosearch ; 0.5
act: where|where's [is|are] <query=text> on <platform=PLATFORM> -> dosearch ; 0.3
act: query|prompt|feed|ask <platform=PLATFORM> with <query=text> -> dosearch
act: <FETCH> in|on <platform=PLATFORM> [for] [the] [word|words|phrase|term] <query=text> -> dosearch ; 0.8
act: <SEARCH> in|on <platform=PLATFORM> the word|words|phrase|term <query=text> -> dosearch
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
act: get|give|show|bring|fetch me <thing=known> -> open
act: show|display <thing=shown> -> open ; 0.4
shown: <app> -> app
act: <verb=OPEN> <thing=known> <idly> -> open
idly: for a bit|sec|second|moment|minute|while|bit
idly: on my|the|this screen|computer|machine|laptop|pc
idly: real|right quick
act: <WANT> <thing=wanted> -> open ; 0.4
act: use <thing=wanted> -> open ; 0.5
act: <WANT> <thing=wanted> <inbrowser> -> open ; 0.4
act: <verb=OPEN> <all=these> <thing=known> -> open
these: all|each of these|them [apps|programs|sites|pages] [:]
these: all two|three|four [:]
these: these|those [two|three|four] [apps|programs|sites|pages] [:]
these: these|those|the [two|three|four] apps|programs|sites|pages [:]
these: the following [two|three|four] [apps|programs|sites|pages|things] [:]
wanted: <app> -> app
wanted: [<det=DET>] [<pagenoun>] <page=PAGE> [<ending=pagenoun>] -> page
wanted: [<det=DET>] [<pagenoun>] <address=address> -> page
wanted: the <address=address> page|site|website|homepage -> page
WANT: i|we need|want|require
WANT: need|want|require|gimme
WANT: i|we have to get into
WANT: i fancy [some|a]
WANT: i'd|we'd like|love
WANT: i|we would like|love
WANT: i|we could use
WANT: i|we could do with
WANT: i'll|i'm|we'll have|need
WANT: i'm going to need
WANT: i need to use
WANT: can|could|may|might i|we have|get|use|see
WANT: let me|us have|use|see
WANT: let's have|use|see
WANT: how|what about
WANT: time for
act: get|have <thing=known> up and running -> open
act: open|pull|bring|fire|start|boot|load|call|spin|crank|power|wake <thing=known> up -> open
act: turn|switch|put <thing=known> on -> open
act: pull|bring|call|load <thing=known> up <inbrowser> -> open
act: show <thing=known> to me -> open
act: put|throw|get <thing=known> on|onto|up the|my [screen|display|monitor] -> open
act: put|throw|get <thing=known> on|onto screen -> open
act: bring <thing=known> to life|screen -> open
act: make|let|have <thing=known> start|run|open|appear|launch|pop [up] -> open
act: make <thing=known> show|come|pop up -> open
act: type|enter|put <thing=pagething> into|in the|my browser|address [bar] -> open
act: bring|get <thing=known> to the|my front|screen|foreground -> open
act: let me into|onto|in <thing=known> -> open
act: use <browser=BROWSER> for <thing=pagething> -> open
act: use <browser=BROWSER> and <verb=reach> <thing=pagething> -> open
act: <verb=reach> <browser=BROWSER> [and|then] with|showing|displaying <thing=pagething> -> open
act: i|we need|want <thing=known> opened|open|running|started|launched -> open
thing: <app> -> app
thing: <page> -> page
thing: <said=phrase> -> other ; 1
other: <said=phrase> -> other
pagething: <page> -> page
known: <app> -> app
known: <page> -> page
app: [<det=DET>] <app=APP> [<kind=program>]
program: app|application|program|browser|thing|tool|software|window
page: [<det=DET>] [<pagenoun>] <page=PAGE> [<ending=pagenoun>]
page: [<det=DET>] [<pagenoun>] <address=address>
page: the <address=address> page|site|website|homepage
pagenoun: website|site|page|homepage|webpage|url|address|link|link
pagenoun: home|web page
pagenoun: web site
pagenoun: page|website|site|homepage at|of|for

# files: things that are there
act: <verb=DELETE> <list> [<where>] -> delete
act: <verb=DELETE> <object=object> [<where>] [<PAUSE>] <whole=whole> -> delete
act: <verb=DELETE> [both] <object=object> [<where>] -> delete
act: throw|toss|chuck|clear <object=object> away|out -> delete
act: <verb=DELETE> <rest=phrase> -> delete ; 3
act: <verb=UNMAKES> <name=name> [<where>] -> unmake
act: <verb=RENAME> <object=object> [<where>] to|as|into <new=name> [<after>] -> rename
act: <verb=RENAME> <object=object> to <unquoted=words> -> rename ; 1
act: give <object=object> the [new] name|title <new=name> -> rename
act: give <object=object> a new|different|better name|title [<COLON>] <new=name> -> rename
act: give the [new] name|title <new=name> to <object=object> -> rename
act: <verb=RENAME> <object=object> [<where>] with [the] [new] name <new=name> -> rename
act: <verb=RENAME> <object=object> [<where>] to be|become [called|named] <new=name> -> rename
act: <verb=RENAME> <object=object> [<where>] so [that] it is|it's|becomes [called|named] <new=name> -> rename
act: change [the] name|filename|title of <object=object> [<where>] to <new=name> -> rename
act: <verb=RENAME> <rest=text> -> rename ; 3
act: <transfer> <object=object> [<from>] <prep=PREP> <there=location> -> transfer
act: <transfer> <objects> [<from>] <prep=PREP> <there=location> -> transfer
act: <transfer> <object=object> <prep=as> <there=location> -> transfer
act: <transfer> <object=object> and call|name it|that|the copy <there=location> -> transfer
act: <transfer> <object=object> under|with|by the name|filename [of] <there=location> -> transfer
act: <transfer> <object=object> [over] <there=yonder> -> transfer
yonder: there -> it
yonder: in|into|inside there|it -> it
act: take|grab|get|pick|fetch <object=object> [<from>] and put|move|drop|place|stick|bring it <prep=PREP> <there=location> -> moving
act: take|grab|get|pick|fetch <object=object> [<from>] and copy it <prep=PREP> <there=location> -> backup
act: call <object=object> <new=fileish> -> rename
act: back <object=object> up <prep=PREP> <there=location> -> backup
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
as: as|called|named|titled
act: send|push|carry|slide|tuck|stash|pop|file <object=object> [<from>] <prep=PREP> <there=surefolder> -> moving
from: from|on|in <from=location>
objects: <object*=object> <LISTED> <object*=object>
objects: <object*=object> <PAUSE> <objects>
objects: <list>
object: [<dets>] <kind=NOUN> [<called=CALLED>] <name=name> -> object
object: [<dets>] <name=name> <kind=NOUN> -> object ; 0.1
object: [<dets>] <name=name> -> object ; 0.1
sureobject: [<dets>] <kind=NOUN> [<called=CALLED>] <name=name>
sureobject: the|my|our <name=bare> <kind=NOUN>
sureobject: [<dets>] <name=quoted> [<kind=NOUN>]
sureobject: <name=fileish>
sureobject: the|my <anchor=ANCHOR>
sureobject: on|in <anchor=ANCHOR>
list: [<dets>] [<count=COUNT>] [new|empty|more] <kinds=NOUNS> [<where>] [<called=CALLED>] [<COLON>] <names>
names: <item*=name> [<LISTED> <names>]
LISTED: <PAUSE> [and]
LISTED: and
LISTED: &
LISTED: <PAUSE> and then|also
LISTED: and also|then
COLON: <PAUSE>
COLON: :
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
act: open [up] a|another new <made> -> create
act: add <made> to <place=location> -> putnew ; 0.4
act: <verb=CREATE> <made> and put|stick|place it <where> -> create
act: <verb=CREATE> <made> and <says=CONTENT> <content=literal> -> create
act: <where> i|we need|want <made> -> create
act: <where> i'd|we'd like <made> -> create
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
mod: <PAUSE> <name=fileish> ; 0.5
mod: real quick
mod: to <place=surefolder>
mod: <says=CONTENT> <content=literal> [to|in|into it] [inside] [in it]
mod: <says=CONTENT> <said=text> ; 1
mod: with <content=literal>
mod: with just|only <content=literal>
mod: with <content=literal> in|inside|as it|its|the [content|contents|text]
mod: with <content=literal> written in|inside [it]
mod: with <said=text> ; 2.5
mod: with|containing|holding [just] [a|an|another] <inner=innermade> [inside|in] [it|there]
innermade: [<dets>] <kind=NOUN> [<called=CALLED>] <name=name> -> made
mod: with|containing|holding [just] <inners=innerlist> [inside|in] [it|there]
innerlist: [<dets>] [<count=COUNT>] [new|empty] <kinds=NOUNS> [inside|in] [it|there] [<PAUSE>] [<called=CALLED>] [:] <names> -> list

# what is written, read and listed
act: <verb=WRITE> [<wording>] <content=literal> to|in|into|onto|inside <object=object> [<where>] -> write
act: <verb=WRITE> [<wording>] <content=literal> to|at|onto [the] end|bottom of|to <object=object> [<where>] -> writeend
act: <verb=WRITE> to|in|into <object=object> [:] <content=literal> -> write
act: <verb=WRITE> [<wording>] <content=literal> to|in|into <it=it> -> write
act: <verb=WRITE> [<wording>] <unquoted=text> to|in|into <object=object> -> write ; 1.5
act: set the content|contents|text of <object=object> to <content=literal> -> overwrite
act: extend <object=object> with <content=literal> -> writeend
act: <verb=WRITE> [<wording>] <content=literal> as|under [the] [name] <object=object> [<where>] -> overwrite
act: fill|populate [up] <object=object> [<where>] with [<wording>] <content=literal> -> overwrite
act: fill|populate|overwrite|replace <object=object> with <content=bare> -> overwrite ; 0.5
act: <verb=WRITE> the word|number|text|name <content=bare> to|in|into|onto <object=object> -> write
act: <verb=WRITE> the word|number|text|name <content=bare> at|to the end|bottom of <object=object> -> writeend
act: <verb=WRITE> in|into|to <object=object> the word|number|text|name <content=bare> -> write
act: <verb=WRITE> <content=bare> at|onto the end|bottom of <object=object> -> writeend ; 0.5
act: make <object=object> say|read|contain [just] <content=literal> -> overwrite
act: let <object=object> say|read|contain [just] <content=literal> -> overwrite
act: in|into|inside|to <object=object> [<PAUSE>] <verb=WRITE> [<wording>] <content=literal> -> write
act: at the end|bottom of <object=object> [<PAUSE>] <verb=WRITE> [<wording>] <content=literal> -> writeend
act: to the end|bottom of <object=object> [<PAUSE>] <verb=WRITE> [<wording>] <content=literal> -> writeend
act: replace <all=everythingin> <object=object> with <content=literal> -> overwrite
everythingin: everything|all [that's|that] [is] in|inside
act: overwrite|replace [<contentsof>] <object=object> [<where>] with [<wording>] <content=literal> -> overwrite
contentsof: [the] contents|content|text of|in
contentsof: what's|whatever in|inside
contentsof: what is in|inside
act: <verb=WRITE> <rest=text> -> write ; 3
wording: a|the|another [new] line|sentence|note|entry saying|reading|with|containing [:]
wording: [the|a|this] [following] [new] text|line|word|words|sentence|message|string|note [:]
wording: :
act: <verb=READ> <object=object> [<where>] -> read
act: give|get|fetch me [the] contents|content|text of|in|inside <object=object> [<where>] -> read
act: <know> what <object=object> says|contains|holds|reads -> readifafile
act: <know> <whatis> in|inside <object=object> [<where>] -> readifafile
act: <know> <whatis> written in|inside|on <object=object> -> readifafile
act: <know> [the] contents|content|text of|in|inside <object=object> -> readifafile
act: see what <object=object> says|contains -> readifafile
act: what's|whats the text|content|contents in|of|inside <object=object> -> readifafile
act: what is|are the text|content|contents in|of|inside <object=object> -> readifafile
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
act: <know> <whatis> in|on|inside <place=location> -> listifafolder
act: <verb=LIST> what|which files|folders|items|things|stuff are|is in|on|inside <place=location> -> list
act: <verb=LIST> what i have|got in|on|inside <place=location> -> list
act: <verb=LIST> what i|i've have|got in|on|inside <place=location> -> list
act: <know> what i have|got in|on|inside <place=location> -> list
act: <verb=LIST> what|which files|folders|items|things|stuff i have|got in|on|inside <place=location> -> list
act: <verb=LIST> what|which files|folders|items|things|stuff there are|is in|on|inside <place=location> -> list
act: <verb=LIST> what <place=folderobject> contains|holds -> list
act: <know> what <place=folderobject> contains|holds -> list
act: <know> what|which files are in|on|inside <place=location> -> list
act: what's|whats inside of <place=location> -> listifafolder
act: what|which things|stuff is|are [there] in|on|inside <place=location> -> list
act: what do i have|keep in|on|inside <place=location> -> listifafolder
act: what have i|we got in|on|inside <place=location> -> listifafolder
act: what are the contents|files of|in|on|inside <place=location> -> list
whatis: what's|whats
whatis: what is|are|files
whatis: what files are
act: <whatis> in|on|inside <place=location> -> listifafolder
act: what|which files|folders|items|things are [there] in|on|inside <place=location> -> list
act: what|which files|folders do|have i have|got in|on|inside <place=location> -> list
act: what does <place=folderobject> contain -> list
act: ls|dir <place=location> -> list
act: <verb=LIST> [the|my|our] <anchorplace> -> list
act: <verb=LIST> [my] <place=plainanchor> -> list
act: <verb=LIST> [me] [a|the] [file|full|complete] list|listing|overview|directory of|in|for|on <place=location> -> list
plainanchor: <anchor=ANCHOR> -> plainanchor
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
act: what|whats|what's [is] <whose> <query=QUERY> <ofthis> -> query
act: <know> <whose> <query=QUERY> <ofthis> -> query
ofthis: of|on|for|in this|my|the computer|machine|laptop|pc|system
act: how much <query=QUERY> does|has my|this|the computer|machine|laptop|pc [have|got] [left|free] -> query
act: what|whats|what's [is] <whose> <query=QUERY> right now -> query
act: how much <query=QUERY> is|remains [left|free|available|there] [left] -> query
act: how much <query=QUERY> do i have|have [left|free|available] -> query
act: how much <query=QUERY> have i got [left] -> query
act: how much <query=QUERY> [left] do we|you have|see [left] -> query
act: how much <query=QUERY> <left> -> query
act: how much free|available <query=QUERY> <left> -> query
act: how much of <whose> <query=QUERY> is left|free|used|remaining|available -> query
act: how full|empty|charged|high|low is my|our <query=QUERY> [right|by] [now] -> query
act: how's|hows <whose> <query=QUERY> [doing|looking|level|status] -> query
act: how is <whose> <query=QUERY> [doing|looking] -> query
act: how late|early is it [now|already] -> time
act: what|what's|whats [is] <whose> <query=QUERY> at|like [now|right] [now] -> query
act: what's|whats|what|which <query=QUERY> do|have i|we have|got -> query
act: what|which <query=QUERY> does this|my computer|machine|laptop|pc have|use -> query
act: what|which <query=QUERY> am i on|using -> query
act: what day|date is|do today|it|we [have] [today|now] -> date
act: what|what's|whats the day|date [is] [it] [today] -> date
act: which|what day of the week is it [today] -> date
act: what is the day|date [today] -> date
act: what|whats|what's the time [right|is] [now|it] [please] -> time
act: do|have you have|got|know <whose> time|clock [on] [you] -> time
act: got|have <whose> time [on] [you] -> time
act: is there [<any=any>] [much|enough|free] <query=QUERY> left|available|free|remaining -> query
act: do i have [<any=any>] [much|enough] <query=QUERY> left|available|free|remaining -> query
act: is <whose> <query=QUERY> full|low|empty|charged|ok|okay|dead|high -> query
act: is <whose> <query=QUERY> nearly|almost|running full|low|empty|out|dead|charged -> query
act: am i running|getting low|out on|of <query=QUERY> -> query
act: <know> <query=LONGQUERY> [please|now] -> longquery
act: <know> how much <query=QUERY> <left> -> query
act: <know> how much free|available <query=QUERY> <left> -> query
act: <know> how full|empty|charged|high|low <whose> <query=QUERY> is [right|by] [now] -> query
act: <know> what <whose> <query=QUERY> is [at|now] [now] -> query
act: <know> what date it is [today] -> date
act: <know> today's date -> date
act: <know> how late it is -> time
left: is|remains|there|remain [is] [left|free|available|there|remaining|unused] [left|available] [on|in] [my|the|this] [disk|machine|computer|laptop|drive|pc|system|hard] [drive|disk]
left: do|have i|we have|got [left|free|available|remaining|there] [left|available] [on|in] [my|the|this] [disk|machine|computer|laptop|drive|pc|system|hard] [drive|disk]
left: i|we have [got] [left|free|available|remaining] [on|in] [my|the|this] [disk|machine|computer|laptop|drive|pc|system|hard] [drive|disk]
left: left|free|remaining [is] [there|on|in] [my|the|this] [disk|machine|computer|laptop|drive|pc|system|hard] [drive|disk]
any: any
act: <know> <whose> <query=QUERY> [please|now] -> query
act: <know> how much <query=QUERY> i have|is|remains [left|free|available] -> query
act: <know> what time it is [now] -> time
act: <know> what day it is [today] -> date
act: <query=LONGQUERY> -> longquery
know: tell|show|give|get|fetch|read me|us
know: [i] want|need|like|love to know|see|hear|check
know: i'd like|love to see|hear|check
know: i need|want
know: report|say|print|state|display|show
know: look at|up
know: take a look at
know: have a look at
know: <any=any> idea
know: an idea
know: got|have [you] <any=any> idea
know: may|can|could|might i|we know|have|get|ask|see
know: let me|us hear|know|read
know: let me trouble|bother|ask you for
know: trouble|bother you for
know: do you have|know
know: happen to know
know: let me|us see
know: i wonder
know: i'm wondering|curious
know: check|see|know
know: find out
know: let me know
know: do|did you know
know: could|can|may|might i|we trouble|ask|bother you for
know: i'd like|love to know
whose: <whose=the>
whose: my|our|your|this
whose: <whose=mine>
mine: my computer's|machine's|laptop's
mine: this computer's|machine's|laptop's
mine: the computer's|machine's|laptop's
the: the|today's|current
the: the current
""")
