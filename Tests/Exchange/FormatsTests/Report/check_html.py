"""Reads names of files, and answers for each whether it is a report that may be handed over: valid HTML by html5lib in
its strict mode, well-formed pictures, no script, and nothing that is fetched from elsewhere."""

import re
import sys
import xml.etree.ElementTree as ElementTree

import html5lib

ELEMENTS = set(
    "html head meta title style body h1 h2 p dl dt dd figure figcaption svg defs pattern path rect circle text table "
    "thead tbody tr th td ul li".split()
)
ATTRIBUTES = set(
    "lang charset http-equiv content name class viewBox role aria-label aria-hidden id width height patternUnits d "
    "stroke stroke-width stroke-dasharray x y fill cx cy r text-anchor".split()
)


def fault(text):
    try:
        tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    except html5lib.html5parser.ParseError as error:
        return f"not valid: {error}"
    for element in tree.iter():
        if not isinstance(element.tag, str):
            return "a comment"
        tag = element.tag.split("}")[-1]
        if tag not in ELEMENTS:
            return f"an element {tag}"
        for attribute in element.attrib:
            if attribute not in ATTRIBUTES:
                return f"an attribute {attribute}"
    for picture in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        try:
            ElementTree.fromstring(picture)
        except ElementTree.ParseError as error:
            return f"a picture that is not well-formed: {error}"
    if re.search(r"url\((?!#)|@import|https?:", text.replace("http-equiv", "")):
        return "something from elsewhere"
    return None


for line in sys.stdin:
    with open(line.strip(), encoding="utf-8") as file:
        print(fault(file.read()) or "valid", flush=True)
