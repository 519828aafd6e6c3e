"""The config that is logged with a mesh: camera, material and lights, in the words of three.js."""

from __future__ import annotations

import math
import re
from typing import Any

import msgspec

__all__ = ["Camera", "Config", "Light", "Material", "read_config"]

# Most characters that are read, and most lights that are used.
_MOST_CHARS = 1 << 20
_MOST_LIGHTS = 8

Vector = tuple[float, float, float]


class Camera(msgspec.Struct):
    """From where a mesh is looked at; what was not logged is `null`."""

    is_orthographic: bool
    fov: float | None
    """Vertical angle in degrees."""
    position: Vector | None
    target: Vector | None
    up: Vector | None


class Material(msgspec.Struct):
    """How a mesh is painted; what was not logged is `null`."""

    size: float | None
    """Of points, in units of the coordinates."""
    is_wireframe: bool
    colour: str | None
    """`#rrggbb`, or a name that CSS has."""


class Light(msgspec.Struct):
    """One light."""

    is_ambient: bool
    colour: str
    intensity: float
    position: Vector | None
    """From where it shines on the origin; `null` for an ambient light."""


class Config(msgspec.Struct):
    """What of a config is used."""

    camera: Camera | None = None
    material: Material | None = None
    lights: list[Light] | None = None


def read_config(text: str) -> tuple[Config, list[str]]:
    """What a config says, and a sentence if it cannot be read. Unknown settings are ignored."""
    if not text.strip() or text.strip() == "null":
        return Config(), []
    if len(text) > _MOST_CHARS:
        return Config(), ["The logged config is ignored: it is larger than 1 MiB."]
    try:
        found = msgspec.json.decode(text.encode("utf-8", errors="replace"))
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return Config(), ["The logged config is ignored: it is not valid JSON."]
    if not isinstance(found, dict):
        return Config(), ["The logged config is ignored: it is not an object."]
    return Config(
        camera=_camera(found.get("camera")),
        material=_material(found.get("material")),
        lights=_lights(found.get("lights")),
    ), []


def _camera(given: Any) -> Camera | None:
    if not isinstance(given, dict):
        return None
    fov = _number(given.get("fov"))
    return Camera(
        is_orthographic=given.get("cls") == "OrthographicCamera",
        fov=fov if fov is not None and 1 <= fov <= 170 else None,
        position=_vector(given.get("position")),
        target=_vector(given.get("lookAt", given.get("target"))),
        up=_vector(given.get("up")),
    )


def _material(given: Any) -> Material | None:
    if not isinstance(given, dict):
        return None
    size = _number(given.get("size"))
    return Material(
        size=size if size is not None and size > 0 else None,
        is_wireframe=given.get("wireframe") is True,
        colour=_colour(given.get("color")),
    )


def _lights(given: Any) -> list[Light] | None:
    if not isinstance(given, list):
        return None
    lights: list[Light] = []
    for one in given[:_MOST_LIGHTS]:
        if not isinstance(one, dict):
            continue
        intensity = _number(one.get("intensity"))
        position = _vector(one.get("position"))
        is_ambient = one.get("cls") in ("AmbientLight", "HemisphereLight")
        lights.append(
            Light(
                is_ambient=is_ambient,
                colour=_colour(one.get("color")) or "#ffffff",
                intensity=1.0 if intensity is None else min(max(intensity, 0.0), 10.0),
                position=None if is_ambient else position or (0.0, 1.0, 0.0),
            )
        )
    return lights


def _number(given: Any) -> float | None:
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        return None
    number = float(given)
    return number if math.isfinite(number) else None


def _vector(given: Any) -> Vector | None:
    if not isinstance(given, list) or len(given) != 3:
        return None
    x, y, z = (_number(one) for one in given)
    return None if x is None or y is None or z is None else (x, y, z)


def _colour(given: Any) -> str | None:
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given <= 0xFFFFFF:
        return f"#{given:06x}"
    if not isinstance(given, str):
        return None
    if re.fullmatch(r"#[0-9a-fA-F]{3}", given):
        return "#" + "".join(2 * digit for digit in given[1:]).lower()
    return given.lower() if re.fullmatch(r"#[0-9a-fA-F]{6}|[a-zA-Z]{3,20}", given) else None
