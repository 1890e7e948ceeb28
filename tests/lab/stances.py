"""Pairs of turns: in one list the second speaker agrees with the first, in the other they deny it.

DEVELOPED was written before the code that reads stances; SECOND after its first version, whose misses then led to more
of it (at first 17 of 40 agreements were rebuttals with lite, 15 with spaCy); HELD_OUT after that. Of its agreements one
was a rebuttal with lite and none with spaCy, and that has stayed so; of its denials 9 and 12 of 20 were found, and what
was missing led to the list of opposites and three more phrases. LATER was written after all of that and after the
rules for contradiction, and no rule was changed for it.
"""

from typing import NamedTuple


class Pair(NamedTuple):
    said: str
    answer: str


AGREEMENTS_DEVELOPED = [
    Pair("The euro is stable.", "She's right. The euro has kept its value for twenty years."),
    Pair("The harbour loses money.", "I agree with Anna. The harbour lost 3 million dollars last year."),
    Pair("Rents are too high in this city.", "Exactly. Rents rose by 40 percent in this city."),
    Pair("The new law hurts small farms.", "That's true. The law closed eleven small farms in our county."),
    Pair("Our schools need more teachers.", "Yes. Our schools have lost 300 teachers since 2019."),
    Pair("The bridge is not safe.", "Absolutely. The bridge was closed twice this winter."),
    Pair("Crime has fallen in the town.", "Anna makes a good point. Crime in the town is lower than in 1990."),
    Pair("The tax cut helped the rich.", "I couldn't agree more. The tax cut gave the rich 80 percent of the money."),
    Pair("Solar power is cheap.", "No question about that. Solar power costs half of what coal costs."),
    Pair("The clinic saves lives.", "Indeed. The clinic treated 9,000 people last year."),
    Pair("The river is polluted.", "As Anna said, the river is polluted. The river carries lead from the old mine."),
    Pair("Wages have not kept up.", "I share that view. Wages rose by 2 percent and prices by 6 percent."),
    Pair("The train is always late.", "You're absolutely right. The train was late on 200 days last year."),
    Pair("The council wasted the money.", "True. The council spent the money on a stadium."),
    Pair("Nurses are leaving the hospital.", "That is exactly my experience. Nurses left our hospital every month."),
    Pair("The pension fund is empty.", "Correct. The pension fund paid out more than it took in."),
    Pair("Immigrants pay taxes.", "We agree on that. Immigrants paid 12 billion in taxes."),
    Pair("The forest is dying.", "I don't disagree. The forest lost a third of its trees."),
    Pair("The dam is old.", "Nobody disputes that. The dam was built in 1931."),
    Pair("Buses should be free.", "I'll second that. Free buses brought 20 percent more riders to Tallinn."),
    Pair("The courts are slow.", "Quite so. The courts took two years for a simple case."),
    Pair("The war cost too much.", "No doubt. The war cost two trillion dollars."),
    Pair("Teachers are underpaid.", "My opponent is right about that. Teachers earn less than bus drivers."),
    Pair("The vaccine works.", "It does work. The vaccine cut deaths by 90 percent."),
    Pair("The deficit doubled.", "It did. The deficit was 400 billion, and now the deficit is 900 billion."),
    Pair("The mine poisoned the lake.", "That's a fair point. The mine put mercury into the lake."),
    Pair("The internet made us lonely.", "I think that's right. The internet keeps children in their rooms."),
    Pair("Coal is finished.", "I agree. Coal plants close every month."),
    Pair("The airport is too loud.", "Well, I agree with the mayor. The airport is loud at night."),
    Pair("The housing plan failed.", "Sadly, she is right. The housing plan built 90 homes."),
    Pair("Meat is bad for the climate.", "You are right. Meat causes 15 percent of all emissions."),
    Pair("The police are overworked.", "And I would add that the police work 60 hours a week."),
    Pair("Libraries matter.", "Of course they do. Libraries lend two million books a year here."),
    Pair("The old town floods.", "Yes, it does. The old town flooded four times since 2010."),
    Pair("The election was fair.", "Anna is correct. The election was watched by 500 observers."),
    Pair("Fishing is in trouble.", "I think we're on the same page. Fishing lost half of its boats."),
    Pair("The company lied.", "That's what I found, too. The company lied to the court in 2015."),
    Pair("Smoking kills.", "Right. Smoking kills eight million people a year."),
    Pair("The park is dangerous at night.", "You've put it well. The park has no lights at night."),
    Pair("The winters are milder.", "I would say the same. Winters are two degrees warmer than in my youth."),
]

DENIALS_DEVELOPED = [
    Pair("The euro is stable.", "That is wrong. The euro lost a fifth of its value in two years."),
    Pair("The harbour loses money.", "No, it doesn't. The harbour made a profit of 2 million last year."),
    Pair("Rents are too high in this city.", "I disagree. Rents in this city are lower than in 2015."),
    Pair("The new law hurts small farms.", "But the law gave small farms 40 million dollars."),
    Pair("Our schools need more teachers.", "That's not true. Our schools have more teachers than ever."),
    Pair("The bridge is not safe.", "She's wrong about that. The bridge was tested in March."),
    Pair("Crime has fallen in the town.", "No. Crime in the town rose by 8 percent."),
    Pair("The tax cut helped the rich.", "The tax cut did not help the rich. The tax cut helped families."),
    Pair("Solar power is cheap.", "You're right about the price, but solar power needs storage that costs a fortune."),
    Pair("The clinic saves lives.", "Yes, but the clinic costs 9 million a year."),
    Pair("The river is polluted.", "Nonsense. The river is cleaner than thirty years ago."),
    Pair("Wages have not kept up.", "I don't agree. Wages rose faster than prices."),
    Pair("The train is always late.", "The train was not late once in June."),
    Pair("The council wasted the money.", "That's simply false. The council spent the money on roads."),
    Pair("Nurses are leaving the hospital.", "My opponent is mistaken. Nurses are coming back to the hospital."),
    Pair("The pension fund is empty.", "It is not empty. The pension fund holds 40 billion."),
    Pair("Immigrants pay taxes.", "However, immigrants in that report paid less than others in taxes."),
    Pair("The forest is dying.", "I have to correct Anna. The forest grew by 3 percent."),
    Pair("The dam is old.", "Not at all. The dam was rebuilt in 2011."),
    Pair("Buses should be free.", "I couldn't disagree more. Free buses cost the city 30 million."),
    Pair("The courts are slow.", "She is not right. The courts decide in 90 days."),
    Pair("The war cost too much.", "Anna has her facts wrong. The war cost less than the stadium."),
    Pair("Teachers are underpaid.", "I'm afraid that isn't so. Teachers earn more than nurses."),
    Pair("The vaccine works.", "There is no truth in that. The vaccine did nothing against the new strain."),
]

AGREEMENTS_SECOND = [
    Pair("The stadium was a mistake.", "I'm with Anna on this. The stadium cost us 200 million dollars."),
    Pair("Our roads are falling apart.", "They are. Half of our roads have not been paved since 1998."),
    Pair("The factory will close.", "I fear so. The factory lost its biggest customer in May."),
    Pair("Bees are dying.", "That matches what we see. Bees died in two thirds of our hives."),
    Pair("The museum is worth the money.", "Couldn't have said it better. The museum brings 90,000 visitors a year."),
    Pair("Sugar makes children ill.", "Anna's point is well taken. Sugar is in nine of ten school lunches."),
    Pair("The treaty saved the ozone layer.", "It certainly did. The treaty cut those gases by 98 percent."),
    Pair("Small shops cannot compete.", "Precisely. Small shops pay three times the rent per square foot."),
    Pair("The lake is shrinking.", "We have seen the same thing. The lake is four metres lower than in 1980."),
    Pair("Young people cannot buy homes.", "That is a problem, I agree. Homes cost nine times what young people earn."),
    Pair("The fire service is too small.", "Thank you, Anna, you are right. The fire service has 40 people at night."),
    Pair("The strike hurt patients.", "There is no denying that. The strike delayed 12,000 operations for patients."),
    Pair("The bank broke the law.", "I was going to say the same. The bank paid a fine of 3 billion under that law."),
    Pair("Phones distract pupils.", "Very true. Phones cost pupils an hour a day."),
    Pair("The subsidy goes to big farms.", "On that we agree. Big farms get 80 percent of the subsidy."),
    Pair("The island needs a doctor.", "Yes, Anna, and the island has had no doctor since March."),
    Pair("Plastic is everywhere.", "How true. Plastic was found in the deepest sea."),
    Pair("The wall did not stop anyone.", "The facts bear her out. The wall was crossed 3,000 times last year."),
    Pair(
        "Childcare is expensive.",
        "I have nothing to add, only a figure. Childcare costs 1,400 dollars a month.",
    ),
    Pair("The old law was better.", "I feel exactly the same way. The old law protected tenants for forty years."),
    Pair("Inflation hits the poor.", "Let me build on that. Inflation took 9 percent from the poor."),
    Pair("The port is too shallow.", "Anna said it already. The port is nine metres deep, and ships need twelve."),
    Pair("The reform worked.", "It has worked, yes. The reform cut waiting times by half."),
    Pair("The valley has no water.", "I can confirm that. The valley got 90 millimetres of rain."),
    Pair("Drivers go too fast here.", "Oh, absolutely, drivers go 70 in the village."),
    Pair("Night trains are coming back.", "Good point. Night trains now run to fourteen cities."),
    Pair("The census was wrong.", "I take the same view. The census missed 40,000 people."),
    Pair("The hospital is full.", "So it is. The hospital had 110 patients for 100 beds."),
    Pair("Wolves kill few sheep.", "I would go even further. Wolves killed 12 sheep, and dogs killed 300."),
    Pair("The tunnel is safe.", "Our group came to the same conclusion. The tunnel passed every test since 2004."),
    Pair("Tourism ruins the old town.", "My colleague has it right. Tourism drove 2,000 people out of the old town."),
    Pair("Heat pumps save money.", "You took the words out of my mouth. Heat pumps save 900 euros a year."),
    Pair("The senate blocked the bill.", "That's what happened. The senate blocked the bill four times."),
    Pair("The budget is unfair.", "And that's the problem. The budget gives schools 2 percent."),
    Pair("The ferry is slow.", "Nobody could argue with that. The ferry takes five hours."),
    Pair("We waste too much food.", "Right, and we waste 90 kilos of food per person."),
    Pair("Air pollution kills.", "The doctors say so, too. Air pollution killed 40,000 people here."),
    Pair("The contract was a bad deal.", "Fair enough, it was a bad deal. The contract runs for 30 years."),
    Pair("Online shops pay no tax.", "I support what Anna said. Online shops paid 1 percent in tax."),
    Pair("The glacier is melting.", "True enough. The glacier lost 60 metres in ten years."),
]

DENIALS_SECOND = [
    Pair("The stadium was a mistake.", "I see it differently. The stadium brought 4,000 jobs."),
    Pair("Our roads are falling apart.", "That's an exaggeration. Our roads were paved twice since 2010."),
    Pair("The factory will close.", "It won't. The factory has orders until 2030."),
    Pair("Bees are dying.", "The numbers say otherwise. Bees have increased by 20 percent."),
    Pair("The museum is worth the money.", "Hardly. The museum has fewer visitors than the car park."),
    Pair("Sugar makes children ill.", "There's no evidence for that. Sugar is eaten less than ever by children."),
    Pair("The treaty saved the ozone layer.", "Anna is mistaken. The treaty came ten years too late."),
    Pair("Small shops cannot compete.", "Of course they can. Small shops grew faster than chains."),
    Pair("The lake is shrinking.", "Wrong. The lake has risen for three years."),
    Pair("Young people cannot buy homes.", "I don't accept that. Young people bought 80,000 homes last year."),
    Pair("The fire service is too small.", "Fair point, but the fire service has doubled since 2001."),
    Pair("The strike hurt patients.", "That is simply not the case. The strike hurt no patients at all."),
    Pair("The bank broke the law.", "The bank did not break the law. The bank was cleared by the court."),
    Pair("Phones distract pupils.", "On the contrary. Phones help pupils to find facts."),
    Pair("The subsidy goes to big farms.", "You have it backwards. The subsidy goes to farms under 50 acres."),
    Pair("The island needs a doctor.", "With respect, the island has a doctor already."),
    Pair("Plastic is everywhere.", "Let me correct that. Plastic is 2 percent of our waste."),
    Pair("The wall did not stop anyone.", "Actually, the wall stopped 90 percent of the traffic."),
    Pair("Childcare is expensive.", "I agree that it was, but childcare is free since January."),
    Pair("The old law was better.", "I beg to differ. The old law put families on the street."),
    Pair("Inflation hits the poor.", "That's a myth. Inflation hits the owners of bonds."),
    Pair("The port is too shallow.", "No, no, no. The port was dredged in 2020."),
    Pair("The reform worked.", "The reform did nothing of the kind. The reform failed in every county."),
    Pair("The valley has no water.", "I'm sorry, that isn't correct. The valley has three wells."),
]

AGREEMENTS_HELD_OUT = [
    Pair("The canal is a waste of money.", "My thoughts exactly. The canal cost 60 million and carries nine boats."),
    Pair(
        "Nobody checks the restaurants.",
        "That has been my complaint for years. Restaurants were checked twice since 2015.",
    ),
    Pair("The mayor hid the report.", "We know that now. The mayor hid the report for eleven months."),
    Pair("The wind farm kills birds.", "I can only underline that. The wind farm killed 300 birds in May."),
    Pair("Night shifts make people ill.", "Every study says so. Night shifts double the risk of a stroke."),
    Pair("The border is open.", "I won't contradict you there. The border was crossed by two million people."),
    Pair("Our rivers are too warm.", "Anna speaks from experience. Our rivers reached 26 degrees in July."),
    Pair("The orchestra deserves support.", "Hear, hear. The orchestra played 90 concerts last year."),
    Pair("Cars are too big.", "You only have to look at the figures. Cars weigh 400 kilos more than in 1990."),
    Pair("The exam was too hard.", "I had the same impression. The exam was failed by 60 percent."),
    Pair("The harvest was poor.", "Unfortunately, yes. The harvest fell by a third."),
    Pair("Gas is too expensive.", "That it is. Gas costs three times what it cost in 2019."),
    Pair("The army is too small.", "On this point there is no difference between us. The army has 60,000 soldiers."),
    Pair("The city sold the water works too cheaply.", "Sure. The city got 40 million for the water works."),
    Pair("Judges are overworked.", "What Anna describes is real. Judges decide 1,200 cases a year."),
    Pair("Trams are better than buses.", "I've always said that. Trams carry three times as many people as buses."),
    Pair("The storm was a warning.", "It was indeed a warning. The storm flooded 900 cellars."),
    Pair("The airline treats people badly.", "All too true. The airline lost 40,000 bags."),
    Pair("Salt harms the trees.", "Thanks for raising that. Salt killed 500 trees along the road."),
    Pair(
        "The merger hurt customers.",
        "The commission found the same. The merger raised prices for customers by 8 percent.",
    ),
    Pair("Pupils read too little.", "I worry about that, too. Pupils read four minutes a day."),
    Pair("The theatre is in ruins.", "I was there, and Anna does not exaggerate. The theatre has no roof."),
    Pair("Foreign aid works.", "Yes, and let me give you an example. Foreign aid wiped out polio in Africa."),
    Pair("The pool must stay open.", "Count me in. The pool taught 2,000 children to swim."),
    Pair("The road is not wide enough.", "No, it isn't. The road is five metres wide."),
    Pair("Small parties have no chance.", "They don't. Small parties won 2 of 300 seats."),
    Pair("Cotton needs too much water.", "Everybody knows that. Cotton takes 10,000 litres of water a kilo."),
    Pair("The insurers refuse to pay.", "It's the same in my district. The insurers refused 40 percent of the claims."),
    Pair("The lockdown was too long.", "In hindsight, that is right. The lockdown lasted 140 days."),
    Pair("The fleet is outdated.", "Anna took the trouble to count. The fleet has an average age of 31 years."),
]

DENIALS_HELD_OUT = [
    Pair("The canal is a waste of money.", "I'd call that unfair. The canal earned 4 million last year."),
    Pair("Nobody checks the restaurants.", "Yes, we do. Restaurants were checked 900 times last year."),
    Pair("The mayor hid the report.", "The mayor never hid the report. The report was on the web in June."),
    Pair("The wind farm kills birds.", "That claim has been disproved. The wind farm killed two birds in ten years."),
    Pair("Night shifts make people ill.", "I doubt it. Night shifts are worked by the healthiest people."),
    Pair("The border is open.", "It isn't. The border has 4,000 guards."),
    Pair("Our rivers are too warm.", "You are misreading the data. Our rivers got colder since 2018."),
    Pair("The orchestra deserves support.", "I don't think it does. The orchestra plays to empty seats."),
    Pair("Cars are too big.", "Come on. Cars are smaller than they were in 1975."),
    Pair("The exam was too hard.", "But the exam was passed by 90 percent."),
    Pair("The harvest was poor.", "No, the harvest was the best since 2004."),
    Pair("Gas is too expensive.", "Not true. Gas costs less than in 2014."),
    Pair("The army is too small.", "That is just not right. The army has twice the soldiers of its neighbour."),
    Pair(
        "The city sold the water works too cheaply.", "She's got it wrong. The city got twice the price that it asked."
    ),
    Pair("Judges are overworked.", "I strongly disagree. Judges had 20 percent fewer cases."),
    Pair("Trams are better than buses.", "True for big cities, but trams cost ten times as much as buses here."),
    Pair("The storm was a warning.", "Nonsense, the storm was a storm like in 1962."),
    Pair("The airline treats people badly.", "The airline does not treat people badly. The airline won three prizes."),
    Pair("Salt harms the trees.", "You're wrong on that. Salt is not used near the trees."),
    Pair("The merger hurt customers.", "Quite the opposite. The merger cut prices for customers."),
]

# Said | answered.
_LATER = """
The bakery pays too little. | I see it the same way. The bakery pays nine euros an hour.
The ferry should run on Sundays. | Anna has my support. The ferry was full on every Sunday in May.
The lift never works. | That matches what I hear. The lift was out of order for 60 days.
Our beaches are dirty. | I'm glad somebody says it. Our beaches had four tons of rubbish in August.
The school roof leaks. | I know, I teach there. The school roof has leaked since the storm.
Parking is too cheap. | You won't hear me object. Parking costs 50 cents an hour.
The court was right. | I take the same position. The court heard 40 witnesses.
Homework does little good. | The research is on your side. Homework raised marks in one study of nine.
The dog tax is silly. | We all think so. The dog tax brings in 4,000 euros.
The bypass will help the village. | That is also what the engineers told us. The bypass takes 8,000 cars out of it.
Old people are lonely. | My mother would say the same. Old people wait three days for a visit.
The brewery uses too much water. | No objection from me. The brewery uses 40 million litres of water.
The night bus is needed. | I fully support that. The night bus carried 900 people on Friday.
Shops close too early. | Same here in the suburbs. Shops close at six.
The zoo treats animals well. | I was surprised, but she is right. The zoo has won two awards.
The heating law came too fast. | I have to admit that. The heating law gave people four months.
Our army lacks boots. | Sad but true. Our army is short of 20,000 boots.
Street art makes the town richer. | I'm with you. Street art brought 300 guests a week.
The orchard should stay. | I'd sign that at once. The orchard feeds two hundred families.
The museum never paid its rent. | Yes, and it's worse than that. The museum has not paid its rent since 2012.
Insects are vanishing. | The farmers confirm it. Insects fell by half on our fields.
The fountain wastes water. | Anna did the sums, and they are right. The fountain wastes 900 litres of water a day.
Electric buses save money. | That's been our finding as well. Electric buses save 20,000 euros a year.
The mayor never answers letters. | She doesn't, no. The mayor answered 3 of 200 letters.
Our bread is too salty. | Agreed, agreed. Our bread has 2 grams of salt.
The bells are too loud. | My neighbours complain as well. The bells ring at 90 decibels.
The subsidy should end. | For once we see eye to eye. The subsidy cost 12 million.
Rabbits destroy the gardens. | I've seen it with my own eyes. Rabbits ate forty gardens in spring.
The coast road is deadly. | There you have a point. The coast road killed nine people in June.
The water is safe to drink. | The lab agrees with Anna. The water was tested 60 times.
Nobody wants the motorway. | Not a single person in my street does. The motorway got 12 letters of support.
Cash must remain. | I'm of the same opinion. Cash is used by 70 percent of the old.
The choir deserves a hall. | Who could disagree? The choir sang for 4,000 people.
The museum café is overpriced. | You can say that again. The café takes six euros for a tea.
Trees cool the streets. | It's plain physics, she is right. Trees cool the streets by four degrees.
The tram is never on time. | Never, that's true. The tram was on time on 12 days.
The bank closed too many branches. | I regret it as much as she does. The bank closed 30 branches.
Salaries at the top are obscene. | Let me support that with a figure. Salaries at the top rose by 90 percent.
The allotments must not be built on. | They must not, I agree. The allotments are a hundred years old.
Doctors write too many reports. | As a doctor I can only nod. Doctors write four hours a day.
The film prize went to the wrong film. | I felt that, too. The film was seen by 900 people.
The old stadium is unsafe. | The fire brigade says the same. The old stadium has two exits.
Ships pollute the bay. | Ships do pollute the bay. Ships burn 300 tons of oil in the bay.
The levy is too high. | It is, and I voted against it. The levy rose to 14 percent.
Nurses should be paid more. | I have fought for that all my life. Nurses earn 2,100 euros.
Plastic toys break at once. | That they do. Plastic toys last four weeks.
The data were leaked. | It was in the papers, yes. The data were leaked to three firms.
Our cheese is the best. | Of course I agree. Our cheese won gold in Oslo.
The strike was justified. | I side with Anna here. The strike lasted nine days.
Bicycles need more room. | Right you are. Bicycles get 4 percent of the road.
The pub should stay open. | I'm all for it. The pub has been open since 1740.
Exams come too early. | Every teacher I know says so. Exams begin in the second year.
The tax office is slow. | Tell me about it. The tax office took 14 months.
Snow is rarer now. | Our records show it, too. Snow fell on 12 days.
The wine harvest was good. | And I agree it was. The wine harvest reached 900 tons.
The bridge costs too much. | Very much so. The bridge costs 80 million.
Villages are losing their shops. | Anna described it well. Villages lost 200 shops.
The clock tower must be saved. | I can live with that, and gladly. The clock tower draws 5,000 visitors.
The plan has no money behind it. | None whatsoever, she is right. The plan has no budget line.
Bats live in the church. | They certainly do. Bats have lived there since the war.
Children sleep too little. | That's my concern as well. Children sleep seven hours.
The mine will never pay. | It never will. The mine lost 30 million.
The canteen food is bad. | I ate there, and yes. The canteen food was left on 300 plates.
The gas contract was a mistake. | In my party we think so, too. The gas contract runs until 2040.
Flats are too small. | We have no quarrel about that. Flats have 38 square metres.
The archive is falling apart. | I back every word. The archive lost 2,000 maps.
The league is corrupt. | The police came to that conclusion, too. The league paid 3 million in bribes.
The airport needs no third runway. | It needs none. The airport served fewer people than in 2007.
Rail is better than road. | Clearly. Rail moves the same load with a fifth of the energy.
The flood wall is too low. | Experience proves her right. The flood wall was overrun in 2013.
Young doctors leave. | I've watched it happen. Young doctors left for Norway.
The theatre is too dear. | On price Anna and I agree. The theatre takes 60 euros.
The forest road should be closed. | I would close it tomorrow. The forest road sees ten cars a day.
The vote was not secret. | It was not, and that's a scandal. The vote was taken by hand.
Nobody reads the rules. | Nobody does. The rules were read by 30 people.
Air travel is too cheap. | I'm afraid so. Air travel costs less than a taxi.
Tenants have no voice. | That's the heart of it. Tenants have one of twenty seats.
The market hall is a jewel. | It is a jewel indeed. The market hall has 90 stalls.
The tower spoils the view. | I can't argue with that. The tower is 140 metres high.
The sewer is broken. | Last week I saw it, and it is. The sewer lost a third of its water.
The minister knew. | Yes, he knew. The minister had the letter in March.
Wood prices exploded. | Builders tell me the same story. Wood prices doubled.
Our team needs a coach. | The whole club agrees. Our team lost eleven games.
The lake should be cleaned. | Then we're agreed. The lake holds 40 tons of mud.
Hospitals should share data. | Good idea, Anna. Hospitals lose 3 hours a day on paper.
The school day starts too early. | I thank Anna for saying so. The school day starts at 7.
Fireworks frighten animals. | My own dog is proof of that. Fireworks frightened 400 dogs.
The quota did not work. | No, it did not. The quota brought two women.
The pipes are made of lead. | That is a fact. The pipes were laid in 1920.
The festival is too loud. | I wouldn't deny it. The festival reached 110 decibels.
"""
AGREEMENTS_LATER = [Pair(*(part.strip() for part in line.split("|"))) for line in _LATER.strip().splitlines()]
