"""`paragauge generate`: paraphrasers."""

from __future__ import annotations

import click

from paragauge.cli.command import CommandGroup
from paragauge.cli.generate.judge import judge_command
from paragauge.cli.generate.pairs import pairs_command
from paragauge.cli.generate.run import run_command
from paragauge.cli.generate.train.group import train
from paragauge.cli.generate.tune import tune_command


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge generate train phrase source.txt target.txt --output model",
        "paragauge generate tune model dev.txt -r dev-refs.tsv --metric bleu --output weights.tsv",
        "paragauge generate run model test.txt --weights weights.tsv --output paraphrases.txt",
        "paragauge generate run model test.txt --search pem+200*model -o paraphrases.txt",
        "paragauge generate pairs one.txt two.txt --ratio 0.67:0.75 --output pairs",
    ),
)
@click.pass_context
def generate(context: click.Context) -> None:
    """Train paraphrasers, tune them to a metric, and paraphrase text."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


generate.add_command(train)
generate.add_command(tune_command)
generate.add_command(run_command)
generate.add_command(pairs_command)
generate.add_command(judge_command)
