/** Entry points that no history goes through, and why. */
export const OUT_OF_SCOPE: Readonly<Record<string, string>> = {
  'gatehouse serve': 'starts a process: the part of the model with real processes does',
  'gatehouse move': 'needs two databases; its own tests move while others write',
}
