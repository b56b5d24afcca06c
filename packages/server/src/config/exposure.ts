import { oneOf } from './parse.ts'
import type { Reader } from './reader.ts'

/** Who can open a part of the service. */
const CHOICES = ['on', 'off', 'members'] as const
type Exposure = (typeof CHOICES)[number]

export interface ExposureSettings {
  /** The sandbox; `members` keeps only its pages for them. */
  sandbox: Exposure
  /** The reference and the guides. */
  docs: Exposure
}

export function readExposure(r: Reader): ExposureSettings {
  const choose = (name: string) => r.read(name, 'on' as const, 'on, off or members', oneOf(CHOICES))
  return { sandbox: choose('SANDBOX'), docs: choose('DOCS') }
}
