import type { MessageInitShape } from '@bufbuild/protobuf'
import { type SetupSchema, SetupService } from '../../../gen/platform/hotel/v1/setups_pb.ts'
import { ConflictError, NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, paging } from '../../kernel/rpc/paging.ts'
import type { SetupRow, StepRow } from '../tables.ts'
import { messageOf } from './errors.ts'
import type { Sagas } from './leased-run.ts'
import { findRun, setRun, stepsOf } from './runs.sql.ts'
import { countRuns, listRuns } from './setups.sql.ts'

/** The durable runs, for operators. */
export const setupService = ({ db, sagasByKind }: Pick<Sagas, 'db' | 'sagasByKind'>): Rpc => {
  const setupWithSteps = async (id: string) => {
    const row = await findRun(db, id)
    if (!row) throw new NotFoundError('Setup not found')
    return { setup: toSetup(row, await stepsOf(db, [id])) }
  }
  return implement(SetupService, {
    async listSetups(request) {
      const slice = paging(request)
      const [rows, total] = await Promise.all([listRuns(db, request, slice), countRuns(db, request)])
      const steps = await stepsOf(
        db,
        rows.map(({ id }) => id),
      )
      const data = rows.map(row =>
        toSetup(
          row,
          steps.filter(step => step.setup_id === row.id),
        ),
      )
      return { data, meta: pageMeta(total, slice) }
    },

    getSetup: ({ id }) => setupWithSteps(id),

    async resumeSetup({ id }) {
      await inTransaction(db, async trx => {
        const row = await trx.selectFrom('hotel_setups').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
        if (!row) throw new NotFoundError('Setup not found')
        if (row.status !== 'parked') throw new ConflictError('The setup is not parked')
        const isUndone = sagasByKind.get(row.kind)?.onFailure === 'undo'
        // Due at once, with the full number of attempts.
        await setRun(trx, id, { status: isUndone ? 'undoing' : 'running', attempts: 0, retryInMs: 0 })
      })
      return setupWithSteps(id)
    },
  })
}

const toSetup = (row: SetupRow, steps: StepRow[]): MessageInitShape<typeof SetupSchema> => ({
  ...messageFields(row),
  steps: steps.map(messageFields),
  error: row.error === null ? undefined : messageOf(row.error),
})
