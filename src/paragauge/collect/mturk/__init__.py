"""Mechanical Turk as a source of workers: external questions through boto3."""
