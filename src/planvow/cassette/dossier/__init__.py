"""Why a plan is as it is, what was observed, and who allowed it: documents stored with a job, private ones apart.

posted = store_plan_with_dossier(store, "run", plan, Dossier(asked=agenda, state=facts, certificate=document))
observe(store, posted.job_id, "s1", {"lamp": "on"})
approve(store, posted.job_id, "s2", by="ann")
dossier_of(store, posted.job_id).asked
"""

from planvow.cassette.dossier.approvals import Question, approve, deny, open_questions, require
from planvow.cassette.dossier.decisions import Decision, approvals_of, decisions_after
from planvow.cassette.dossier.erase import erase
from planvow.cassette.dossier.model import Dossier, Erased, Needs, Privacy, StateDocument
from planvow.cassette.dossier.observe import Observation, observations_of, observe
from planvow.cassette.dossier.post import store_plan_with_dossier
from planvow.cassette.dossier.private import hide_arguments
from planvow.cassette.dossier.read import dossier_of, outputs_of, private_arguments
from planvow.cassette.dossier.states import state_document

__all__ = [
    "Decision",
    "Dossier",
    "Erased",
    "Needs",
    "Observation",
    "Privacy",
    "Question",
    "StateDocument",
    "approvals_of",
    "approve",
    "decisions_after",
    "deny",
    "dossier_of",
    "erase",
    "hide_arguments",
    "observations_of",
    "observe",
    "open_questions",
    "outputs_of",
    "private_arguments",
    "require",
    "state_document",
    "store_plan_with_dossier",
]
