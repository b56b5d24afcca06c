import { DatabaseSync as Original } from '@photostructure/sqlite'

export * from '@photostructure/sqlite'

const CACHE = 'pragma cache_size = -256'

/**
 * A connection whose page cache is full within seconds. A cache of the usual size is limited too, but fills for an hour where
 * the writes of another process empty it again and again; only growth without a limit is to be seen.
 */
export class DatabaseSync extends Original {
  constructor(...options) {
    super(...options)
    super.exec(CACHE)
  }

  exec(text) {
    return super.exec(text.replace(/pragma cache_size = -?\d+/g, CACHE))
  }
}
