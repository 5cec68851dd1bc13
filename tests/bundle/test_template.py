"""A language is found by what people call it."""

import pytest

from arena.bundle.template import find_language, list_languages
from arena.errors import UsageError


@pytest.mark.parametrize(
    ("word", "language"),
    [
        ("typescript", "node"),
        ("ts", "node"),
        ("js", "node"),
        ("c++", "cpp"),
        ("golang", "go"),
        ("rs", "rust"),
    ],
)
def test_a_language_has_more_names_than_one(word: str, language: str) -> None:
    """What people call a language leads to its template, and so does the template's own name."""
    assert find_language(word) == language
    assert [find_language(name) for name in list_languages()] == list(list_languages())


def test_an_unknown_language_is_answered_with_all_that_are_known() -> None:
    """The nearest word is named, and each language as people call it."""
    with pytest.raises(UsageError) as caught:
        find_language("typscript")

    assert "(did you mean 'typescript'?)" in str(caught.value)
    assert "cpp: C++, go, java, node: TypeScript (Node.js), python, ruby, rust" in str(caught.value)
