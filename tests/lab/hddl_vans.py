"""Two vans, each with its parcel, and somebody who rests: a partially ordered problem, and a plan of it."""

from __future__ import annotations

DOMAIN = """(define (domain vans) (:requirements :typing :hierarchy) (:types place parcel van)
  (:predicates (at ?x - object ?p - place) (in ?c - parcel ?v - van) (road ?a ?b - place) (tired))
  (:task deliver :parameters (?c - parcel ?to - place))
  (:task get :parameters (?v - van ?to - place))
  (:method by-van :parameters (?c - parcel ?v - van ?from ?to - place) :task (deliver ?c ?to)
    :precondition (at ?c ?from)
    :subtasks (and (g (get ?v ?from)) (l (load ?c ?v ?from)) (h (get ?v ?to)) (u (unload ?c ?v ?to)))
    :ordering (and (< g l) (< l h) (< h u)))
  (:method there :parameters (?c - parcel ?to - place) :task (deliver ?c ?to) :precondition (at ?c ?to) :subtasks ())
  (:method drive-it :parameters (?v - van ?a ?b - place) :task (get ?v ?b) :precondition (road ?a ?b)
    :subtasks (drive ?v ?a ?b))
  (:method stay :parameters (?v - van ?b - place) :task (get ?v ?b) :precondition (at ?v ?b) :subtasks ())
  (:action drive :parameters (?v - van ?a ?b - place) :precondition (and (at ?v ?a) (road ?a ?b) (not (tired)))
    :effect (and (not (at ?v ?a)) (at ?v ?b)))
  (:action load :parameters (?c - parcel ?v - van ?p - place) :precondition (and (at ?c ?p) (at ?v ?p))
    :effect (and (not (at ?c ?p)) (in ?c ?v)))
  (:action rest :parameters () :precondition (forall (?c - parcel) (exists (?p - place) (at ?c ?p))) :effect (tired))
  (:action unload :parameters (?c - parcel ?v - van ?p - place) :precondition (and (in ?c ?v) (at ?v ?p))
    :effect (and (not (in ?c ?v)) (at ?c ?p))))"""
PROBLEM = """(define (problem two) (:domain vans)
  (:objects depot hill lake - place red blue - van a b - parcel)
  (:htn :subtasks (and (t (deliver a hill)) (s (deliver b lake)) (r (rest))))
  (:init (at red depot) (at blue hill) (at a depot) (at b hill) (road depot hill) (road hill lake)))"""
PLAN = """==>
0 load a red depot
1 load b blue hill
2 drive red depot hill
3 drive blue hill lake
4 unload a red hill
5 unload b blue lake
20 rest
root 6 9 20
6 deliver a hill -> by-van 7 0 8 4
7 get red depot -> stay
8 get red hill -> drive-it 2
9 deliver b lake -> by-van 10 1 11 5
10 get blue hill -> stay
11 get blue lake -> drive-it 3
<==
"""
