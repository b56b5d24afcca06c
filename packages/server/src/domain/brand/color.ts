/** A validated color: `#rrggbb`, in lower case. */
export type Color = string

const COLOR = /^#[0-9a-f]{6}$/

export const isColor = (text: string): text is Color => COLOR.test(text)

const WHITE: Color = '#ffffff'
/** Not quite black, which is the color of text in the light scheme. */
const INK: Color = '#14181a'

const channels = (color: Color) =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [number, number, number]

/** Mixes two colors: 0 is the first, 1 is the second. */
function mix(one: Color, other: Color, share: number): Color {
  const to = channels(other)
  const mixed = channels(one).map((from, i) => Math.round(from + ((to[i] ?? 0) - from) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** Relative luminance, by WCAG 2.2. */
function luminance(color: Color): number {
  const [r, g, b] = channels(color).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast ratio of two colors, from 1 to 21, by WCAG 2.2. */
function contrast(one: Color, other: Color): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** Required contrast of text, and of the edges of controls (WCAG 2.2 AA, 1.4.3 and 1.4.11). */
const TEXT_CONTRAST = 4.5
const EDGE_CONTRAST = 3

const STEPS = 100

/** Moves a color toward black or white, as little as possible, until it has the contrast on all the backgrounds. */
function adjust(color: Color, toward: Color, on: readonly Color[], required: number): Color {
  for (let step = 0; step < STEPS; step++) {
    const moved = mix(color, toward, step / STEPS)
    if (on.every((background) => contrast(moved, background) >= required)) return moved
  }
  return toward
}

/** The colors of one color scheme that follow from the accent color. */
export interface AccentColors {
  /** Links and marks, readable as text on every background of the page. */
  accent: Color
  accentDeep: Color
  /** The fill of buttons, as close to the chosen color as it can be, and the text on it. */
  button: Color
  buttonDeep: Color
  onButton: Color
  /** The edge of buttons, which a fill close to the background needs. */
  buttonEdge: Color
  /** A background with a touch of the accent. */
  tint: Color
}

/** The backgrounds of a color scheme. */
export interface Scheme {
  paper: Color
  card: Color
  /** Where text colors move to for more contrast. */
  end: Color
  tintShare: number
}

export const LIGHT: Scheme = { paper: '#f7f7f5', card: WHITE, end: '#000000', tintShare: 0.08 }
export const DARK: Scheme = { paper: '#131515', card: '#1c1f1f', end: WHITE, tintShare: 0.12 }

/** The built-in accent color. */
export const DEFAULT_ACCENT: Color = '#1f5f4a'

/** More accents than an installation has applications, as a rule. */
const MAX_KNOWN = 1_000
const known = new Map<string, AccentColors>()

/**
 * Derives the colors of a scheme from the accent color. Whatever the accent is, text is readable (WCAG AA) and every
 * button can be told from its background. The result is remembered: deriving it was a tenth of the time of an email.
 */
export function accentColors(accent: Color, scheme: Scheme): AccentColors {
  const key = `${accent} ${scheme.paper}`
  const colors = known.get(key) ?? deriveColors(accent, scheme)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, colors)
  return colors
}

function deriveColors(accent: Color, scheme: Scheme): AccentColors {
  const { paper, card, end, tintShare } = scheme
  const tint = mix(card, accent, tintShare)
  const text = adjust(accent, end, [paper, card, tint], TEXT_CONTRAST)
  const isDark = end === WHITE
  // On dark, a dark fill is made lighter. On light, a light fill such as yellow stays as it is and gets an edge:
  // made darker, it would no longer be the brand's color.
  const button = isDark ? adjust(accent, end, [paper, card], EDGE_CONTRAST) : accent
  const onButton = contrast(button, WHITE) >= TEXT_CONTRAST ? WHITE : INK
  const needsEdge =
    contrast(button, card) < EDGE_CONTRAST || contrast(button, paper) < EDGE_CONTRAST
  return {
    accent: text,
    accentDeep: mix(text, end, 0.25),
    ...readableFill(button, onButton),
    buttonEdge: needsEdge ? text : button,
    tint,
  }
}

/** Moves a fill away from its text until the text is readable. The fill under the pointer is moved further. */
function readableFill(button: Color, onButton: Color) {
  const away = onButton === WHITE ? '#000000' : WHITE
  const fill = adjust(button, away, [onButton], TEXT_CONTRAST)
  return { button: fill, buttonDeep: mix(fill, away, 0.18), onButton }
}
