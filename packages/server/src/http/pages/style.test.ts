import { expect, it } from 'vitest'
import { STYLE } from './style.ts'

type Colours = Record<string, string>

const coloursIn = (css: string): Colours =>
  Object.fromEntries([...css.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, a, b]) => [a, b]))

const [light = '', dark = ''] = STYLE.split('@media (prefers-color-scheme: dark)')
const schemes = { light: coloursIn(light), dark: { ...coloursIn(light), ...coloursIn(dark) } }

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(colours: Colours, one: string, other: string): number {
  const [a, b] = [one, other].map((name) => luminance(colours[name] as string)) as [number, number]
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
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-deep', 4.5],
  ['edge', 'card', 3],
  ['edge', 'paper', 3],
] as [string, string, number][]

it.each(Object.entries(schemes))(
  'every colour can be read on its ground when it is %s',
  (_, all) => {
    const weak = PAIRS.filter(([one, other, least]) => contrast(all, one, other) < least)
    expect(weak).toEqual([])
  },
)
