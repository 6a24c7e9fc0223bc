"""Methods of attribution: one file each, and one line in this table."""

from core.attribution import Method
from worker.attribution.methods.method import AttributionMethod
from worker.attribution.methods.ours import OURS
from worker.attribution.methods.ragonite import PAPER, PAPER_NO_CLUSTERS
from worker.attribution.methods.similarity import NAIVE

METHODS: dict[Method, AttributionMethod] = {
    Method.OURS: OURS,
    Method.PAPER: PAPER,
    Method.PAPER_NO_CLUSTERS: PAPER_NO_CLUSTERS,
    Method.NAIVE: NAIVE,
}
