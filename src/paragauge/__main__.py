"""`python -m paragauge` is the command `paragauge`."""

from paragauge.cli.main import main

main()
