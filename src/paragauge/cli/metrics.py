"""`paragauge metrics`: the metrics and their settings."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import click

from paragauge.cli.command import Command
from paragauge.errors import SettingError
from paragauge.metrics.base import Metric, metric_class
from paragauge.metrics.outside.metric_classes import announced_metrics, origin
from paragauge.metrics.registry import METRICS, PRESETS


@click.command(cls=Command, examples=("paragauge metrics", "paragauge metrics bleu"))
@click.argument("name", required=False)
def metrics(name: str | None) -> None:
    """List the metrics, or the settings of one. NAME is a metric, or package.module:Class."""
    if name is None:
        width = max(map(len, (*METRICS, *PRESETS, *announced_metrics())))
        for key, metric in METRICS.items():
            click.echo(f"{key:<{width}}  {metric.summary}")
        for key in PRESETS:
            click.echo(f"{key:<{width}}  {_describe_preset(key)}")
        for key in announced_metrics():
            click.echo(f"{key:<{width}}  {_describe_announced(key)}")
        click.echo("\nSettings of one: paragauge metrics NAME. Use: --metrics NAME:SETTING=VALUE")
        return
    key = name.strip().lower()
    if key in PRESETS:
        base, settings = PRESETS[key]
        click.echo(f"{key}: {_describe_preset(key)}")
        click.echo("\n".join(_describe_settings(metric_class(base), settings)[1:]))
    else:
        click.echo("\n".join(_describe_settings(metric_class(name), {})))


def _describe_announced(name: str) -> str:
    """What an installed package's metric is, or why it cannot be used."""
    if name in METRICS or name in PRESETS:
        place = announced_metrics()[name].value
        return f"not {place}, which a package announces by a name that is taken; write -m {place}"
    try:
        kind = metric_class(name)
    except SettingError as error:
        return f"cannot be used: {error}"
    return f"{kind.summary} (from {origin(kind)})"


def _describe_preset(name: str) -> str:
    base, settings = PRESETS[name]
    return ":".join([base, *(f"{key}={value}" for key, value in settings.items())])


def _describe_settings(metric: type[Metric], preset: Mapping[str, str]) -> list[str]:
    rows = []
    for field in dataclasses.fields(metric):
        choices = field.metadata.get("choices")
        default = preset.get(field.name, "none" if field.default is None else str(field.default))
        values = "|".join(choices) if choices else str(field.type).split(" | ")[0]
        rows.append((field.name, f"{values} (default {default})", field.metadata.get("help", "")))
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(2)]
    lines = [f"  {row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]}" for row in rows]
    return [f"{metric.name}: {metric.summary}", *lines]
