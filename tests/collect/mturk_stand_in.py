"""A stand-in of Mechanical Turk's requester API for tests: JSON 1.1 over HTTP, state in memory.

It speaks the protocol of `mturk-requester.us-east-1.amazonaws.com` as far as paragauge uses it, and
refuses what the service refuses: unknown operations, a UniqueRequestToken used before (for bonuses; for
HITs too), an assignment that is not in the state Submitted, a bonus to a worker without an assignment,
a balance that is too small. `lose` makes it do an operation and break the connection before the answer,
as networks do; `throttle` answers an operation with ThrottlingException first.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PREFIX = "MTurkRequesterServiceV20170117."


class RefusalError(Exception):
    """What the service answers with code 400."""

    def __init__(self, code: str, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


class StandIn:
    """The service's state, and the server in front of it."""

    def __init__(self) -> None:
        self.balance = 10_000
        self.hit_types: dict[str, dict[str, Any]] = {}
        self.hits: dict[str, dict[str, Any]] = {}
        self.assignments: dict[str, dict[str, Any]] = {}
        self.qualifications: dict[str, dict[str, Any]] = {}
        self.held: set[tuple[str, str]] = set()
        self.bonuses: list[dict[str, Any]] = []
        self.tokens: dict[tuple[str, str], Any] = {}
        self.calls: Counter[str] = Counter()
        self.authorizations: list[str] = []
        self.lose: Counter[str] = Counter()
        self.throttle: Counter[str] = Counter()
        self.page = 2
        self._lock = threading.Lock()
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                operation = self.headers.get("X-Amz-Target", "").removeprefix(PREFIX)
                stand_in.authorizations.append(self.headers.get("Authorization", ""))
                try:
                    answer, status = stand_in.answer(operation, json.loads(body)), 200
                except RefusalError as error:
                    kind = f"com.amazonaws.mturk#{error.code}"
                    answer = {"__type": kind, "Message": str(error), "TurkErrorCode": error.code}
                    status = error.status
                if stand_in.lose[operation] and status == 200:
                    stand_in.lose[operation] -= 1
                    self.close_connection = True
                    self.connection.close()
                    return
                content = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/x-amz-json-1.1")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None:
                """A connection that was broken on purpose is no news."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, operation: str, parameters: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            self.calls[operation] += 1
            if self.throttle[operation]:
                self.throttle[operation] -= 1
                raise RefusalError("ThrottlingException", "Rate exceeded")
            method = getattr(self, f"_{operation}", None)
            if method is None:
                raise RefusalError("UnknownOperationException", f"unknown operation {operation}")
            return method(parameters)

    # What workers do.

    def submit(self, hit: str, worker: str, answers: dict[str, str], assignment: str) -> str:
        """A worker sends the form of the external question."""
        hit_record = self.hits[hit]
        accepted = [
            assignment for assignment in self.assignments.values() if assignment["HITId"] == hit
        ]
        assert len(accepted) < hit_record["MaxAssignments"], "the HIT is full"
        assert worker not in {assignment["WorkerId"] for assignment in accepted}, (
            "one assignment of a HIT a worker"
        )
        fields = "".join(
            f"<Answer><QuestionIdentifier>{name}</QuestionIdentifier><FreeText>{value}</FreeText></Answer>"
            for name, value in answers.items()
        )
        space = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01"
        self.assignments[assignment] = {
            "AssignmentId": assignment,
            "WorkerId": worker,
            "HITId": hit,
            "AssignmentStatus": "Submitted",
            "SubmitTime": 1_300_000_000,
            "Answer": f'<?xml version="1.0" encoding="UTF-8"?>\n<QuestionFormAnswers '
            f'xmlns="{space}/QuestionFormAnswers.xsd">{fields}</QuestionFormAnswers>',
        }
        return assignment

    # Operations, as the API names them.

    def _GetAccountBalance(self, parameters: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        return {"AvailableBalance": f"{self.balance / 100:.2f}"}

    def _CreateHITType(self, parameters: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        for needed in ("Title", "Description", "Reward", "AssignmentDurationInSeconds"):
            if needed not in parameters:
                raise RefusalError("ParameterValidationError", f"{needed} is missing")
        # Equal properties are the same type, as the service documents.
        text = json.dumps(parameters, sort_keys=True)
        for name, known in self.hit_types.items():
            if json.dumps(known, sort_keys=True) == text:
                return {"HITTypeId": name}
        name = f"TYPE{len(self.hit_types) + 1}"
        self.hit_types[name] = parameters
        return {"HITTypeId": name}

    def _CreateHITWithHITType(self, parameters: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        kind = self.hit_types.get(parameters["HITTypeId"])
        if kind is None:
            raise RefusalError("RequestError", f"HITType {parameters['HITTypeId']} does not exist.")
        if not parameters["Question"].startswith("<"):
            raise RefusalError("ParameterValidationError", "Question is no XML")
        token = ("hit", parameters.get("UniqueRequestToken", ""))
        if token[1] and token in self.tokens:
            message = f"A HIT with the request token exists: {self.tokens[token]}"
            raise RefusalError("RequestError", f"{message} (AWS.MechanicalTurk.HITAlreadyExists)")
        cost = round(float(kind["Reward"]) * 100) * parameters["MaxAssignments"]
        if cost > self.balance:
            raise RefusalError(
                "RequestError",
                "This Requester has insufficient funds in their account "
                "(AWS.MechanicalTurk.InsufficientFunds)",
            )
        self.balance -= cost
        name = f"HIT{len(self.hits) + 1}"
        self.hits[name] = {
            "HITId": name,
            "HITTypeId": parameters["HITTypeId"],
            "HITStatus": "Assignable",
            "MaxAssignments": parameters["MaxAssignments"],
            "Question": parameters["Question"],
            "RequesterAnnotation": parameters.get("RequesterAnnotation", ""),
        }
        self.tokens[token] = name
        return {"HIT": self.hits[name]}

    def _ListHITs(self, parameters: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        return self._page_of("HITs", list(self.hits.values()), parameters)

    def _ListAssignmentsForHIT(self, parameters: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        if parameters["HITId"] not in self.hits:
            raise RefusalError("RequestError", f"Hit {parameters['HITId']} does not exist.")
        rows = [
            assignment
            for assignment in self.assignments.values()
            if assignment["HITId"] == parameters["HITId"]
        ]
        return self._page_of("Assignments", rows, parameters)

    def _page_of(self, name: str, rows: list[Any], parameters: dict[str, Any]) -> dict[str, Any]:
        first = int(parameters.get("NextToken", "0"))
        last = first + min(self.page, parameters.get("MaxResults", 10))
        more = {"NextToken": str(last)} if last < len(rows) else {}
        return {name: rows[first:last], "NumResults": len(rows[first:last]), **more}

    def _settle(self, parameters: dict[str, Any], state: str) -> dict[str, Any]:
        assignment = self.assignments.get(parameters["AssignmentId"])
        if assignment is None:
            raise RefusalError(
                "RequestError", f"Assignment {parameters['AssignmentId']} does not exist."
            )
        if assignment["AssignmentStatus"] != "Submitted":
            raise RefusalError(
                "RequestError", "This operation can be called with a status of: Submitted"
            )
        assignment["AssignmentStatus"] = state
        assignment["RequesterFeedback"] = parameters.get("RequesterFeedback", "")
        return {}

    def _ApproveAssignment(self, parameters: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        return self._settle(parameters, "Approved")

    def _RejectAssignment(self, parameters: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        if not parameters.get("RequesterFeedback"):
            raise RefusalError("ParameterValidationError", "RequesterFeedback is missing")
        return self._settle(parameters, "Rejected")

    def _SendBonus(self, parameters: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        token = ("bonus", parameters.get("UniqueRequestToken", ""))
        if token[1] and token in self.tokens:
            raise RefusalError("RequestError", "The idempotency token has been used before.")
        assignment = self.assignments.get(parameters["AssignmentId"])
        if (
            assignment is None
            or assignment["WorkerId"] != parameters["WorkerId"]
            or not parameters.get("Reason")
        ):
            raise RefusalError("RequestError", "no such assignment of this worker, or no reason")
        self.balance -= round(float(parameters["BonusAmount"]) * 100)
        self.tokens[token] = True
        self.bonuses.append(parameters)
        return {}

    def _CreateQualificationType(self, parameters: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        if any(
            qualification["Name"] == parameters["Name"]
            for qualification in self.qualifications.values()
        ):
            raise RefusalError(
                "RequestError", "You have already created a QualificationType with this name"
            )
        name = f"QUAL{len(self.qualifications) + 1}"
        self.qualifications[name] = {"QualificationTypeId": name, **parameters}
        return {"QualificationType": self.qualifications[name]}

    def _ListQualificationTypes(self, parameters: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        query = parameters.get("Query", "").lower()
        rows = [
            qualification
            for qualification in self.qualifications.values()
            if query in qualification["Name"].lower()
        ]
        return self._page_of("QualificationTypes", rows, parameters)

    def _AssociateQualificationWithWorker(self, parameters: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        if parameters["QualificationTypeId"] not in self.qualifications:
            raise RefusalError("RequestError", "no such qualification type")
        self.held.add((parameters["QualificationTypeId"], parameters["WorkerId"]))
        return {}

    def _DisassociateQualificationFromWorker(  # noqa: N802
        self, parameters: dict[str, Any]
    ) -> dict[str, Any]:
        held = (parameters["QualificationTypeId"], parameters["WorkerId"])
        if held not in self.held:
            raise RefusalError("RequestError", "the worker does not have this qualification")
        self.held.remove(held)
        return {}

    def _UpdateExpirationForHIT(self, parameters: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        self.hits[parameters["HITId"]]["HITStatus"] = "Reviewable"
        return {}
