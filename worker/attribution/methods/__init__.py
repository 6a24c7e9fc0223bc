"""Methods of attribution: one file each, and one line in this table."""

from core.attribution import Method
from worker.attribution.methods import ours, ragonite, similarity
from worker.attribution.methods.method import AttributionMethod

METHODS: dict[Method, AttributionMethod] = {
    Method.OURS: ours.explain,
    Method.PAPER: ragonite.by_cluster,
    Method.PAPER_NO_CLUSTERS: ragonite.by_piece,
    Method.NAIVE: similarity.explain,
}
