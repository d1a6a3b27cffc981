/** Inserts one row; columns and table are names of ours, never input. */
export function insertRow(sql: SqlStorage, table: string, row: Readonly<Record<string, SqlStorageValue>>): void {
  const columns = Object.keys(row);
  const places = columns.map(() => "?").join(", ");
  sql.exec(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`, ...Object.values(row));
}
