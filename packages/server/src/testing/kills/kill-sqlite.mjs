import { DatabaseSync as Original } from '@photostructure/sqlite'
import { step } from './kill-at.mjs'

export class DatabaseSync extends Original {
  exec(text) {
    return step(text, () => super.exec(text))
  }

  prepare(text) {
    return step(text, () => super.prepare(text))
  }
}
