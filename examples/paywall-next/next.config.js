// In this repository the SDK is a link to a folder outside of the example. A site of your own doesn't need this.
const root = decodeURIComponent(new URL('../..', import.meta.url).pathname)

export default { turbopack: { root }, outputFileTracingRoot: root }
