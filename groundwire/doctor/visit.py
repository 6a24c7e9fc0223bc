"""One visit of the doctor: the checks that are due, run for these settings."""

from __future__ import annotations

import logging

from core import logs
from core.settings import Settings
from groundwire.doctor.examination import Examination
from groundwire.doctor.finding import HealthFinding
from groundwire.doctor.hiding import Hiding
from groundwire.doctor.patient import Patient
from groundwire.doctor.table import BY_ID, CHECKS, WITHOUT_SETTINGS


def findings(chosen: Settings, *, quick: bool = False) -> list[HealthFinding]:
    """What every check has found; nothing is spent on a model.

    `quick`: what is right or wrong before the servers and programs of this machine have started,
    in some seconds. What is wrong and `may_come` is waited for by whoever starts; all else that is
    wrong stays so.
    """
    return list(begun(Patient(chosen, may_ask_model=False), quick=quick).findings())


def begun(patient: Patient, *, quick: bool = False) -> Examination:
    """The checks, under way."""
    # What goes wrong is a finding: lines of a log would stand between them.
    logs.configure(patient.settings.model_copy(update={"log_level": "ERROR"}))
    logging.getLogger("slack_sdk").setLevel(logging.CRITICAL)
    due = [check for check in CHECKS if check.quick or not quick]
    return Examination(patient, due, Hiding.of_settings())


def without_settings() -> Examination:
    """What can be looked at where no setting can be used."""
    due = [BY_ID[each] for each in WITHOUT_SETTINGS]
    return Examination(Patient(Settings(_env_file=None)), due, Hiding.of_settings())
