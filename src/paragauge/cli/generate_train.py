import click

train = click.Group("train")
