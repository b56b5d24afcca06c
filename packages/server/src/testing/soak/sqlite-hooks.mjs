const SQLITE = '@photostructure/sqlite'
const SMALL = new URL('./sqlite-with-small-caches.mjs', import.meta.url).href

/** Gives everybody the driver with small caches, except for that module itself. */
export const resolve = (specifier, context, next) =>
  specifier === SQLITE && context.parentURL !== SMALL
    ? { url: SMALL, shortCircuit: true }
    : next(specifier, context)
