import { describe, expect, it } from 'vitest'
import { DEFAULT_ACCENT } from '../../domain/brand/color.ts'
import { seededRandom } from '../../testing/random.ts'
import { styleSheetFor } from './style-sheet.ts'

type Colors = Record<string, string>

const colorsIn = (css: string): Colors =>
  Object.fromEntries([...css.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, a, b]) => [a, b]))

/** The colors of each scheme, as a browser reads them from the style sheet. */
function schemesOf(accent: string): Record<'light' | 'dark', Colors> {
  const { css } = styleSheetFor(accent)
  const dark: string[] = []
  const light = css.replace(
    /@media \(prefers-color-scheme: dark\) \{\s*:root \{[^}]*\}/g,
    (rule) => {
      dark.push(rule)
      return ''
    },
  )
  return { light: colorsIn(light), dark: { ...colorsIn(light), ...colorsIn(dark.join('')) } }
}

/** Written anew, so that a mistake in the product's own function shows. */
function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(colors: Colors, one: string, other: string): number {
  const [a, b] = [one, other].map((name) => luminance(colors[name] as string)) as [number, number]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** Required contrast: 4.5:1 for text, 3:1 for the edges of controls (WCAG 2.2, 1.4.3 and 1.4.11). */
const PAIRS = [
  ...['paper', 'card', 'tint'].flatMap((on) => [
    ['ink', on, 4.5],
    ['soft', on, 4.5],
    ['accent', on, 4.5],
    ['accent-deep', on, 4.5],
  ]),
  ['bad', 'card', 4.5],
  ['bad', 'paper', 4.5],
  ['bad', 'bad-tint', 4.5],
  ['warn', 'warn-tint', 4.5],
  ['ink', 'line', 4.5],
  ['on-button', 'button', 4.5],
  ['on-button', 'button-deep', 4.5],
  ['button-edge', 'card', 3],
  ['button-edge', 'paper', 3],
  ['edge', 'card', 3],
  ['edge', 'paper', 3],
] as [string, string, number][]

const weakPairs = (accent: string) =>
  Object.entries(schemesOf(accent)).flatMap(([scheme, colors]) =>
    PAIRS.filter(([one, other, least]) => contrast(colors, one, other) < least).map(
      ([one, other]) => `${accent}, ${scheme}: ${one} on ${other}`,
    ),
  )

const hex = (value: number) => value.toString(16).padStart(2, '0')

describe('every color can be read on its background, light and dark,', () => {
  it('with the built-in accent color', () => {
    expect(weakPairs(DEFAULT_ACCENT)).toEqual([])
  })

  it('with accent colors of every kind', () => {
    const levels = [0, 51, 102, 128, 153, 204, 255]
    const all = levels.flatMap((r) =>
      levels.flatMap((g) => levels.map((b) => `#${hex(r)}${hex(g)}${hex(b)}`)),
    )
    expect(all.flatMap(weakPairs)).toEqual([])
  })

  it('with any accent color', () => {
    const seed = Date.now() % 2 ** 31
    const random = seededRandom(seed)
    const any = () => `#${hex(Math.floor(random() * 256))}`
    for (let i = 0; i < 300; i++) {
      const accent = any() + any().slice(1) + any().slice(1)
      expect(weakPairs(accent), `seed ${seed}`).toEqual([])
    }
  })
})

it('keeps the accent color on buttons wherever that is possible', () => {
  for (const accent of ['#ffcc00', '#0b5fff', '#c2185b', '#ffffff']) {
    expect(schemesOf(accent).light.button).toBe(accent)
  }
})
