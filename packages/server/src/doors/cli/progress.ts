const WIDTH = 30

/** A bar on standard error, drawn only where somebody can see it. */
export function progressBar(total: number): { show(done: number): void; end(): void } {
  if (!process.stderr.isTTY) return { show() {}, end() {} }
  return {
    show(done) {
      const full = total === 0 ? WIDTH : Math.round((done / total) * WIDTH)
      const bar = '#'.repeat(full).padEnd(WIDTH, '.')
      process.stderr.write(`\r[${bar}] ${done} of ${total}`)
    },
    end() {
      process.stderr.write('\r\x1b[K')
    },
  }
}
