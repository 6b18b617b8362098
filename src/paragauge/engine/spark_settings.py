"""How Spark is started: masters, settings, the environment of its Java."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from paragauge.engine.parquet_parts import BATCH
from paragauge.errors import SettingError

LOCAL = re.compile(r"local\[(\*|[0-9]+)(,[0-9]+)?\]|local-cluster\[[0-9]+,[0-9]+,[0-9]+\]")
REMOTE = re.compile(r"spark://[^\s/:]+(:[0-9]+)?(,[^\s/:]+(:[0-9]+)?)*|yarn|k8s://\S+")
FAILURES = 4  # of one task, before Spark gives up
LOOPBACK = "127.0.0.1"


def check_master(master: str) -> None:
    """Raise an error for what Spark does not accept as a master.

    >>> check_master("spark://host:7077")
    >>> check_master("lokal[2]")
    Traceback (most recent call last):
    paragauge.errors.SettingError: master: expected spark://HOST:PORT, yarn, k8s://..., local[N] or
    local-cluster[WORKERS,CORES,MEGABYTES], found 'lokal[2]'
    """
    if LOCAL.fullmatch(master) is None and REMOTE.fullmatch(master) is None:
        raise SettingError(
            "master: expected spark://HOST:PORT, yarn, k8s://..., local[N] or "
            f"local-cluster[WORKERS,CORES,MEGABYTES], found {master!r}"
        )


def add_failure_limit(master: str) -> str:
    """Add a number of allowed failures: a local master without it gives up when a worker dies.

    >>> add_failure_limit("local[2]"), add_failure_limit("yarn")
    ('local[2,4]', 'yarn')
    """
    return f"{master[:-1]},{FAILURES}]" if re.fullmatch(r"local\[[^,]+\]", master) else master


def default_settings(master: str | None, folder: Path) -> dict[str, str]:
    """The settings of a session unless the user changes them.

    >>> default_settings("spark://host:7077", Path("tmp"))["spark.ui.enabled"]
    'false'
    """
    settings = {
        "spark.app.name": "paragauge",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.caseSensitive": "true",
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    if master is not None:
        settings["spark.master"] = add_failure_limit(master)
    if master is not None and LOCAL.fullmatch(master):
        settings |= {
            "spark.driver.bindAddress": LOOPBACK,
            "spark.driver.host": LOOPBACK,
            "spark.local.dir": str(folder / "local"),
            "spark.pyspark.python": sys.executable,
            "spark.sql.shuffle.partitions": "32",
        }
    return settings


def java_environment(
    master: str | None, folder: Path, settings: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The environment of Java: UTF-8 file names, the workers' Python, and what local workers need.

    Spark reads `spark.pyspark.python` only in spark-submit; a session takes it from the environment.

    >>> folder, settings = Path("tmp"), {"spark.pyspark.python": "/opt/python"}
    >>> java_environment("spark://host:7077", folder, settings)["PYSPARK_PYTHON"]
    '/opt/python'
    """
    import pyspark

    variables = {"LC_ALL": "C.UTF-8"}
    if master is not None and LOCAL.fullmatch(master):
        variables |= {
            "SPARK_LOCAL_IP": LOOPBACK,
            "SPARK_LOCAL_HOSTNAME": LOOPBACK,
            "SPARK_WORKER_DIR": str(folder / "workers"),
            "PYSPARK_PYTHON": sys.executable,
        }
    if settings is not None and "spark.pyspark.python" in settings:
        variables["PYSPARK_PYTHON"] = settings["spark.pyspark.python"]
    if "SPARK_HOME" not in os.environ:
        variables["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    return variables
