"""All targets: importing the modules adds them."""

from __future__ import annotations

import command_targets
import model_targets
import several_file_targets
import targets

TARGETS = targets.TARGETS
__all__ = ["TARGETS", "command_targets", "model_targets", "several_file_targets"]
