// Imports one module after the other in the same process: later blocks of a page use what earlier ones have made.
process.on('message', async (path) => {
  try {
    await import(path)
    process.send('')
  } catch (error) {
    process.send(error.stack ?? String(error))
  }
})
