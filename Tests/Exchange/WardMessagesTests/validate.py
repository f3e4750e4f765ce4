"""Holds each line against a JSON schema, and answers with "ok", or with what is wrong."""

import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

for line in sys.stdin:
    try:
        errors = [error.message.replace("\n", " ") for error in validator.iter_errors(json.loads(line))]
    except ValueError as error:
        errors = [str(error)]
    print("ok" if not errors else errors[0][:300], flush=True)
