"""`paragauge metrics`: the metrics and their settings."""

from __future__ import annotations

import dataclasses

import click

from paragauge.cli.command import Command
from paragauge.errors import unknown_name
from paragauge.metrics.base import Metric
from paragauge.metrics.registry import METRICS


@click.command(cls=Command, examples=("paragauge metrics", "paragauge metrics bleu"))
@click.argument("name", required=False)
def metrics(name: str | None) -> None:
    """List the metrics, or the settings of one. NAME is a metric."""
    if name is None:
        width = max(map(len, METRICS))
        for key, metric in METRICS.items():
            click.echo(f"{key:<{width}}  {metric.summary}")
        click.echo("\nSettings of one: paragauge metrics NAME. Use: --metrics NAME:SETTING=VALUE")
        return
    if name.lower() not in METRICS:
        raise unknown_name("metric", name, METRICS)
    click.echo("\n".join(_describe_settings(METRICS[name.lower()])))


def _describe_settings(metric: type[Metric]) -> list[str]:
    rows = []
    for field in dataclasses.fields(metric):
        choices = field.metadata["choices"]
        default = "none" if field.default is None else str(field.default)
        values = "|".join(choices) if choices else str(field.type).split(" | ")[0]
        rows.append((field.name, f"{values} (default {default})", field.metadata["help"]))
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(2)]
    lines = [f"  {row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]}" for row in rows]
    return [f"{metric.name}: {metric.summary}", *lines]
