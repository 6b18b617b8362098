"""`paragauge pem fit`: fit a model of PEM to other rated pairs."""

from __future__ import annotations

import click

from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.pem.pem_options import RatedInput, TrainingRun, with_rated_pairs, with_run
from paragauge.cli.pem.tables import print_times, training_summary
from paragauge.cli.progress import Steps
from paragauge.errors import InputError
from paragauge.metrics.pem.features import FEATURE_SETS
from paragauge.metrics.pem.model import DESCRIPTION, open_model
from paragauge.metrics.pem.train import refit
from paragauge.text.files import resolve_path


@click.command(
    "fit",
    cls=Command,
    examples=(
        "paragauge pem fit --ratings rated.tsv --output mine",
        "paragauge pem fit --model news --ratings rated.tsv --criterion score --scale 0:100 -o mine",
        "paragauge pem fit -s sources.txt -c a.txt -c b.txt --ratings ratings.tsv -o mine",
    ),
)
@with_rated_pairs
@option(
    "--model",
    default="english",
    metavar="FOLDER",
    heading=shared_options.METRIC,
    help="The model whose pivots and language model are used; english comes with the package.",
)
@with_run
@option("--force", is_flag=True, heading=shared_options.OUTPUT, help="Replace an existing model.")
def fit_command(rated: RatedInput, model: str, run: TrainingRun, force: bool) -> None:
    """Fit the regressions of a model to other rated pairs.

    Its pivots and its language model stay.
    """
    settings, output = run.settings(rated), run.folder()
    if resolve_path(output) == resolve_path(model):
        raise InputError(f"--output {output}: is the model itself; choose another name")
    if (output / DESCRIPTION).exists() and not force:
        raise InputError(
            f"--output {output}: a model is there already; choose another name, or replace it with "
            "--force"
        )
    pairs = rated.read(run.threads)
    with Steps(len(FEATURE_SETS)) as step:
        trained = refit(output, open_model(model), pairs, settings, progress=step)
    print_times(trained)
    click.echo(training_summary(trained, output, pairs.left_out))
