import { createHash } from 'node:crypto'
import {
  type AccentColors,
  accentColors,
  type Color,
  DARK,
  DEFAULT_ACCENT,
  LIGHT,
} from '../../domain/brand/color.ts'
import { STYLE } from './style.ts'

/** A style sheet with the hash by which the content security policy allows it. */
export interface StyleSheet {
  css: string
  hash: string
}

const MAX_CACHED = 200
const known = new Map<Color, StyleSheet>()

/** Returns the style sheet in an application's color. Every application's pages are styled alike but for it. */
export function styleSheetFor(accent: Color | null | undefined): StyleSheet {
  const color = accent ?? DEFAULT_ACCENT
  const found = known.get(color)
  if (found) return found
  const css = `${paletteOf(color)}${STYLE}`
  const sheet = { css, hash: createHash('sha256').update(css).digest('base64') }
  if (known.size >= MAX_CACHED) known.clear()
  known.set(color, sheet)
  return sheet
}

const paletteOf = (accent: Color) => `
:root { ${declarations(accentColors(accent, LIGHT))} --paper: ${LIGHT.paper}; --card: ${LIGHT.card}; }
@media (prefers-color-scheme: dark) {
  :root { ${declarations(accentColors(accent, DARK))} --paper: ${DARK.paper}; --card: ${DARK.card}; }
}`

const declarations = (colors: AccentColors) =>
  Object.entries(colors)
    .map(
      ([name, color]) =>
        `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${color};`,
    )
    .join(' ')
