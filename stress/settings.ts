/** A size that an environment variable can change. */
export const setting = (name: string, usual: number): number => Number(process.env[name] ?? usual)

/** The seed of everything random: another one in each run, unless an environment variable names it. */
export const seedSetting = (name: string): number =>
  setting(name, Math.floor(Math.random() * 2 ** 31))
