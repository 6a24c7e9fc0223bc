"""The experiment behind an explanation: explore, suggest, confirm; exactly, if quoted."""
