"""External questions and their answers, in the XML of Mechanical Turk.

An external question is the URL of one of our pages, which the worker sees in a frame. MTurk adds
assignmentId, hitId, workerId and turkSubmitTo to it. The page ends by sending a form to turkSubmitTo;
its fields come back as the answer of the assignment.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from paragauge.errors import SettingError

SCHEMA = (
    "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd"
)
HEIGHT = 0  # as high as the worker's window
RECEIPT = "receipt"  # the field with the id of the submission here
MOST = 1 << 20  # bytes of an answer


def build_question(url: str) -> str:
    """The question for a page, which must be https: workers' browsers load no other in a frame.

    >>> build_question("https://example.org/mturk/a?b=1&c=2").count("&amp;")
    1
    """
    parts = urlsplit(url)
    local = parts.hostname in ("127.0.0.1", "localhost", "::1")
    if not parts.hostname or (parts.scheme != "https" and not (parts.scheme == "http" and local)):
        raise SettingError(
            f"address '{url}': expected https://..., which is all that Mechanical Turk shows in a frame"
        )
    return (
        f'<ExternalQuestion xmlns="{SCHEMA}"><ExternalURL>{escape(url)}</ExternalURL>'
        f"<FrameHeight>{HEIGHT}</FrameHeight></ExternalQuestion>"
    )


def read_answers(xml: str) -> dict[str, str]:
    """The fields of an answer; none if it is not such XML.

    >>> read_answers("<QuestionFormAnswers><Answer><QuestionIdentifier>receipt</QuestionIdentifier>"
    ...     "<FreeText>abc</FreeText></Answer></QuestionFormAnswers>")
    {'receipt': 'abc'}
    """
    # No document type, hence no entities: an answer has none, and they can be made to explode.
    if len(xml) > MOST or "<!DOCTYPE" in xml:
        return {}
    try:
        root = ET.fromstring(xml.encode())  # noqa: S314  # see above
    except (ET.ParseError, ValueError):
        return {}
    answers = {}
    for answer in root.iter():
        if _name(answer) != "Answer":
            continue
        fields = {_name(element): (element.text or "").strip() for element in answer}
        if "QuestionIdentifier" in fields:
            answers[fields["QuestionIdentifier"]] = fields.get("FreeText", "")
    return answers


def _name(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]
