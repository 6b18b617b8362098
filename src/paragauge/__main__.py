"""The command `paragauge`, also as `python -m paragauge`: signals are handled before anything else."""

import sys

from paragauge.cli import signals


def main() -> None:
    """Run the command line and exit."""
    signals.install()
    try:
        from paragauge.cli.main import run

        code = run(sys.argv[1:])
    except (KeyboardInterrupt, signals.TerminatedError) as error:
        code = signals.exit_code(error)
    signals.ignore_late()
    sys.exit(code)


if __name__ == "__main__":
    main()
