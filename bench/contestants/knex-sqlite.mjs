// Knex with Gatehouse's driver, instead of one that would have to be compiled first. As with Knex's own drivers, every
// query is prepared again.
import { DatabaseSync } from '@photostructure/sqlite'
import Sqlite3 from 'knex/lib/dialects/sqlite3/index.js'

export class SqliteClient extends Sqlite3 {
  _driver() {
    return DatabaseSync
  }

  async acquireRawConnection() {
    const database = new DatabaseSync(this.connectionSettings.filename)
    database.exec('pragma journal_mode = wal; pragma busy_timeout = 5000')
    return database
  }

  async destroyRawConnection(database) {
    database.close()
  }

  async _query(database, query) {
    query.response = database.prepare(query.sql).all(...query.bindings)
    return query
  }
}

SqliteClient.prototype.driverName = 'sqlite'
