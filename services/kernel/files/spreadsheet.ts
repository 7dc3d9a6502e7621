import { csvFile } from './csv.ts'
import { xlsxFile } from './xlsx.ts'

const formats = {
  csv: { write: csvFile, contentType: 'text/csv; charset=utf-8' },
  xlsx: { write: xlsxFile, contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
}

type Table = {
  /** File name without its ending. */
  name: string
  columns: string[]
  rows: AsyncIterable<string[][]>
}

/** Streams a table as the chunks of a file to save. @param format csv unless it is xlsx */
export async function* spreadsheetChunks(format: string | undefined, { name, columns, rows }: Table) {
  const ending = format === 'xlsx' ? 'xlsx' : 'csv'
  const { write, contentType } = formats[ending]
  yield { chunk: { head: { contentType, fileName: `${name}.${ending}`, attachment: true } } }
  for await (const data of write(columns, rows)) yield { chunk: { data } }
}
