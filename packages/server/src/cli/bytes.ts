const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Formats a size like `1.4 GiB`. */
export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0]
  for (; size >= 1024 && unit < UNITS.length - 1; unit++) size /= 1024
  return `${unit === 0 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`
}
