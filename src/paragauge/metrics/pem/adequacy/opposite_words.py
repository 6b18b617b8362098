"""Opposites that WordNet does not have: pairs of lemmas that contradict each other in the same place.

WordNet's antonyms are pairs of words, not of meanings: *accept* and *reject* are opposites, *approve*
and *reject* are not. The list has frequent words of decisions, changes of quantity, judgments,
movements and states. Each word of one side of a line is an opposite of each word of the other side.
Written for this purpose, from no other list and from no test set.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

GROUPS = """
approve endorse authorize ratify : reject veto disapprove oppose
accept : decline deny refuse rebuff spurn
agree consent : refuse disagree object
support back endorse favor : oppose reject condemn
allow permit let authorize enable : forbid ban prohibit prevent bar block outlaw
legal lawful legitimate : banned forbidden prohibited illicit
rise climb soar surge jump increase grow gain : drop decline plunge plummet tumble slump sink shrink
raise increase boost lift hike expand : lower reduce cut decrease slash trim diminish
growth increase rise surge gain : decline drop decrease fall slump reduction loss
strengthen reinforce : weaken undermine
improve enhance upgrade : worsen deteriorate degrade impair
improvement recovery : deterioration decline
widen broaden : narrow
accelerate quicken hasten : slow delay
succeed : fail
success triumph victory : failure defeat loss
win : lose
praise applaud commend hail laud : criticize blame condemn denounce slam
praise : criticism blame condemnation
love adore like enjoy : hate detest loathe dislike despise
admire respect : despise scorn
happy glad pleased delighted cheerful : sad unhappy miserable upset disappointed
calm : agitated nervous excited
confirm affirm verify : deny refute dispute contradict
admit confess acknowledge : deny
prove : disprove refute
believe trust : doubt distrust mistrust disbelieve
certain sure : doubtful unsure
acquit free release : convict imprison jail arrest detain
arrest detain : release
innocent : guilty
protect defend shield : attack endanger expose
safe secure : dangerous unsafe risky hazardous perilous
rescue save : abandon
build construct create erect : destroy demolish raze
start begin commence launch initiate : end finish stop cease halt conclude terminate
open : close shut
arrive come : leave depart
enter : leave exit
arrival : departure
appear emerge : vanish disappear
remain stay : leave depart
join : leave quit
hire employ recruit : fire dismiss sack
appoint : dismiss
include contain : exclude omit
add : subtract remove
attach connect join link unite combine : detach separate divide split disconnect
accept welcome : reject expel
welcome : shun
push : pull
remember recall : forget
find discover : lose
keep retain preserve : discard abandon
gather collect : scatter
attract : repel
encourage urge : discourage deter dissuade
help assist aid : hinder impede hamper obstruct
obey comply : defy disobey
follow : precede
often frequently regularly : rarely seldom
early : late
large big huge enormous vast giant massive : small tiny little minute
tall : short
long : short
wide broad : narrow
thick : thin
deep : shallow
heavy : light
strong powerful : weak feeble
fast quick rapid swift : slow sluggish
hot warm : cold cool chilly freezing icy
wet damp moist : dry arid
clean spotless : dirty filthy
rich wealthy affluent : poor
cheap inexpensive affordable : expensive costly dear
old ancient aged : young new modern
public : private
ancient : modern
empty vacant : full occupied crowded packed
noisy loud : quiet silent
bright : dark dim gloomy
beautiful attractive pretty lovely : ugly hideous
clever smart intelligent bright : stupid dumb foolish
brave courageous bold : cowardly timid
courage bravery : cowardice
polite courteous : rude impolite
kind gentle : cruel brutal
generous : stingy mean
honest sincere : dishonest deceitful
easy simple : difficult hard complicated tough
true correct right accurate : false wrong incorrect inaccurate
good excellent great wonderful : bad terrible awful horrible dreadful
best : worst
better : worse
healthy well : sick ill
alive living : dead
asleep : awake
permanent : temporary
major : minor
sharp steep : slight
sharply steeply dramatically : slightly marginally
advantage benefit : disadvantage drawback
profit : loss
friend ally : enemy foe
ally : rival opponent
peace : war
majority : minority
maximum : minimum
entrance entry : exit
top : bottom
upstairs : downstairs
present : absent
visible : hidden invisible
guest : host
teacher : pupil student
buy purchase : sell
lend : borrow
teach : learn
import : export
ascend : descend
inhale : exhale
upward : downward
accuse charge blame : clear acquit exonerate absolve
praise compliment : scold rebuke reprimand
grant : reject deny refuse dismiss
uphold affirm : reject overturn quash overrule
repair fix mend restore rebuild : damage break wreck ruin destroy demolish
continue persist proceed : stop quit cease halt
resume continue : suspend interrupt
win gain earn : lose
lock fasten tighten : unlock unfasten loosen
lengthen extend prolong : shorten curtail
melt thaw : freeze
float : sink
laugh smile : cry weep
fill : empty drain
hide conceal : reveal show disclose expose
admit : exclude
tight : loose
smooth : rough
sweet : bitter sour
tame : wild
sober : drunk
optimistic hopeful : pessimistic hopeless
compulsory mandatory obligatory required : optional voluntary
domestic : foreign
urban : rural
northern : southern
eastern : western
superior : inferior
abundant plentiful : scarce
surplus : deficit shortage
shortage lack scarcity : abundance surplus glut
strength : weakness
poverty : wealth
joy happiness delight : sadness sorrow grief misery
optimism hope : pessimism despair
beginning start : end finish conclusion
""".strip()


@functools.cache
def opposite_words() -> Mapping[str, frozenset[str]]:
    """The opposites of each lemma of the list.

    >>> sorted(opposite_words()["approve"] & {"accept", "reject", "veto"})
    ['reject', 'veto']
    """
    opposites: dict[str, set[str]] = {}
    for line in GROUPS.splitlines():
        one, other = (side.split() for side in line.split(":"))
        for a in one:
            for b in other:
                opposites.setdefault(a, set()).add(b)
                opposites.setdefault(b, set()).add(a)
    return {word: frozenset(others) for word, others in opposites.items()}
