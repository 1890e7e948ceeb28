"""Tools of every kind in one form: functions, coroutines, methods, and the tools of other libraries.

Others are known by their shape alone, so none of their libraries is needed: a LangChain tool has `name`, `invoke` and
`args_schema`; a pydantic-ai tool has `name`, `function` and `function_schema`; anything with `name`, a JSON Schema and
a call goes the same way.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from planvow.agent.errors import ToolError
from planvow.agent.tools.signature import GIVEN, names_of, parameters_of, schema_of
from planvow.agent.tools.tool import Call, Tool, check_promises


def tool(function: Any = None, /, *, name: str | None = None, **says: Any) -> Any:
    """Declare a tool: bare (`@tool`), with promises (`@tool(idempotent=True)`), or around a tool of another library.

    The promises are the fields of `Tool`.

    >>> @tool(idempotent=True)
    ... def fetch(thing):
    ...     return thing
    >>> fetch.name
    'fetch'
    """
    if function is None:
        return lambda inner: tool(inner, name=name, **says)
    made = as_tool(name or _name_of(function), function)
    check_promises(made.name, says)
    return replace(made, **says)


def as_tool(name: str, given: Any) -> Tool:
    """Return anything that can be called for a command as a Tool of that name.

    >>> as_tool("greet", lambda name: f"hello {name}").name
    'greet'
    """
    if isinstance(given, Tool):
        return replace(given, name=name) if given.name != name else given
    for shape in (_langchain, _pydantic_ai, _described):
        found = shape(name, given)
        if found is not None:
            return found
    if not callable(given):
        raise ToolError(
            f"a {type(given).__name__} cannot be called",
            place=f"tool {name}",
            hint="give a function, a coroutine function, a method, or a tool object with a schema and a call",
        )
    return _function(name, given)


def _function(name: str, function: Callable[..., Any]) -> Tool:
    if _is_generator(function):
        hint = "return what it yields as a list, or hand over a function that goes through it"
        raise ToolError("it yields: to call it would do nothing", place=f"tool {name}", hint=hint)
    parameters = parameters_of(function)
    names = names_of(function)
    filled = [part.name for part in parameters or [] if part.name in GIVEN]
    positional = [part.name for part in parameters or [] if part.kind is part.POSITIONAL_ONLY]
    if positional:
        taken = tuple(positional)

        def run(call: Call) -> Any:
            rest = {key: value for key, value in call.arguments.items() if key not in taken}
            return function(*(call.arguments[key] for key in taken if key in call.arguments), **rest)

    elif names is None and not _takes_names(parameters):

        def run(call: Call) -> Any:
            return function(*call.arguments.values(), **_given(call, filled))

    else:

        def run(call: Call) -> Any:
            return function(**{**_given(call, filled), **call.arguments})

    return Tool(
        name=name,
        run=_awaited(run) if _is_async(function) else run,
        parameters=names,
        schema=schema_of(function),
        description=inspect.getdoc(function) or "",
    )


def _is_generator(function: Any) -> bool:
    """Whether a call would only make a generator. What wraps one may go through it: that is not looked into."""
    forms = (function, getattr(function, "__call__", None))  # noqa: B004
    return any(inspect.isgeneratorfunction(form) or inspect.isasyncgenfunction(form) for form in forms)


def _is_async(function: Any) -> bool:
    inner = function.func if isinstance(function, partial) else function
    return inspect.iscoroutinefunction(inner) or inspect.iscoroutinefunction(getattr(inner, "__call__", None))  # noqa: B004


def _awaited(run: Callable[[Call], Any]) -> Callable[[Call], Any]:
    """Return a coroutine function, so that whoever calls it knows that it needs no thread."""

    async def run_in_loop(call: Call) -> Any:
        return await run(call)

    return run_in_loop


def _takes_names(parameters: list[inspect.Parameter] | None) -> bool:
    return any(part.kind is part.VAR_KEYWORD for part in parameters or [])


def _given(call: Call, names: list[str]) -> dict[str, Any]:
    values = {"call": call, "idempotency_key": call.idempotency_key, "secrets": call.secrets}
    return {name: values[name] for name in names}


def _langchain(name: str, given: Any) -> Tool | None:
    if not (callable(getattr(given, "invoke", None)) and hasattr(given, "args_schema")):
        return None
    is_async = getattr(given, "coroutine", None) is not None and callable(getattr(given, "ainvoke", None))
    ask = given.ainvoke if is_async else given.invoke
    schema = _schema_of_model(given.args_schema)

    def run(call: Call) -> Any:
        return ask(dict(call.arguments))

    return _of_schema(name, schema, given, _awaited(run) if is_async else run)


def _pydantic_ai(name: str, given: Any) -> Tool | None:
    described = getattr(given, "function_schema", None)
    if described is None or not callable(getattr(given, "function", None)):
        return None
    if getattr(given, "takes_ctx", False):
        hint = "give a tool without a context, or a function that makes the context and calls it"
        raise ToolError("this tool wants a model's run context", place=f"tool {name}", hint=hint)
    function = given.function

    def run(call: Call) -> Any:
        return function(**call.arguments)

    return _of_schema(name, described.json_schema, given, _awaited(run) if _is_async(function) else run)


def _described(name: str, given: Any) -> Tool | None:
    """Anything that carries a JSON Schema and can be called: `parameters`, `input_schema` or `inputSchema`."""
    schemas = (getattr(given, attribute, None) for attribute in ("input_schema", "inputSchema", "parameters"))
    schema = next((held for held in schemas if isinstance(held, Mapping) and held.get("type") == "object"), None)
    calls = (getattr(given, word, None) for word in ("call", "run", "execute", "__call__"))
    function = next((held for held in calls if callable(held)), None)
    if schema is None or function is None:
        return None

    def run(call: Call) -> Any:
        return function(**call.arguments)

    return _of_schema(name, schema, given, _awaited(run) if _is_async(function) else run)


def _of_schema(name: str, schema: Mapping[str, Any] | None, given: Any, run: Callable[[Call], Any]) -> Tool:
    properties = (schema or {}).get("properties")
    return Tool(
        name=name,
        run=run,
        parameters=tuple(properties) if isinstance(properties, Mapping) else None,
        schema=schema,
        description=str(getattr(given, "description", "") or ""),
    )


def _schema_of_model(model: Any) -> Mapping[str, Any] | None:
    """Return the JSON Schema of a pydantic model, old or new, or of what is one already."""
    if model is None or isinstance(model, Mapping):
        return model
    for attribute in ("model_json_schema", "schema"):
        if callable(getattr(model, attribute, None)):
            found: Mapping[str, Any] = getattr(model, attribute)()
            return found
    return None


def _name_of(given: Any) -> str:
    name = getattr(given, "name", None) or getattr(given, "__name__", None)
    if not isinstance(name, str) or not name:
        raise ToolError("this tool has no name", hint="write tool(it, name='fetch')")
    return name
