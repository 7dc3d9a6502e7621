import type { MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import {
  type CategorySchema,
  CategoryService,
  type CreateCategoryRequest,
  type UpdateCategoryRequest,
} from '../../../gen/platform/news/v1/categories_pb.ts'
import { tenantOf, tenantOfRecord } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { insertUnderSlug } from '../../kernel/base/texts/slug.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { callerId, seesAll } from '../pages/access.ts'
import { locateRecord, writeRecord } from '../records.sql.ts'
import type { CategoryRow } from '../tables.ts'
import { recountMoved } from '../totals/pages.sql.ts'
import { insertCategory, listCategories, lockCategory, removeFromPages, slugsBeginning } from './categories.sql.ts'

const categoryNotFound = () => new NotFoundError('Category not found')

const seenBy = (tenant: Tenant, context: HandlerContext) => ({
  seesAll: seesAll(tenant),
  memberId: callerId(tenant, context),
})

const openCategory = async ({ db }: Context, context: HandlerContext, id: string): Promise<Tenant> =>
  tenantOfRecord(context, await locateRecord(db, 'categories', id), 'Category')

const categoryOf = (row: CategoryRow & { page_count: unknown }): MessageInitShape<typeof CategorySchema> => ({
  ...messageFields(row),
  order: row.sort_order,
  pageCount: Number(row.page_count),
})

const isTaken = (error: unknown): boolean => isDuplicateKey(error, 'categories_slug')
const refuseTaken = (error: unknown): never => {
  throw isTaken(error) ? new ConflictError('The workspace already has a category with this slug') : error
}

async function createCategory({ db }: Context, request: CreateCategoryRequest, context: HandlerContext) {
  const tenant = tenantOf(context)
  const { name } = request
  const [id, now] = [newId(), new Date()]
  const rowWith = (slug: string): CategoryRow => ({
    id,
    workspace_id: tenant.workspaceId,
    name,
    slug,
    live_slug: slug,
    description: request.description ?? null,
    icon: request.icon ?? null,
    color: request.color ?? null,
    sort_order: request.order ?? 0,
    is_active: 1,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  })
  const insert = async (slug: string) => {
    await insertCategory(db, rowWith(slug))
    return { category: categoryOf({ ...rowWith(slug), page_count: 0 }) }
  }
  if (request.slug !== undefined) return insert(request.slug).catch(refuseTaken)
  const loadTakenSlugs = (prefix: string) => slugsBeginning(db, tenant, prefix)
  return insertUnderSlug({ name, id, kind: 'category', maxLength: 120, loadTaken: loadTakenSlugs, isTaken }, insert)
}

async function updateCategory(news: Context, request: UpdateCategoryRequest, context: HandlerContext) {
  const tenant = await openCategory(news, context, request.id)
  const paths = new Set(request.updateMask?.paths)
  for (const field of ['name', 'slug'] as const)
    if (paths.has(field) && request[field] === undefined) throw invalid(field, 'cannot be cleared', 'required')
  const { name, slug } = request
  const set: Partial<CategoryRow> = {
    ...(name === undefined ? {} : { name }),
    ...(slug === undefined ? {} : { slug, live_slug: slug }),
    ...(paths.has('description') ? { description: request.description ?? null } : {}),
    ...(paths.has('icon') ? { icon: request.icon ?? null } : {}),
    ...(paths.has('color') ? { color: request.color ?? null } : {}),
    ...(paths.has('order') ? { sort_order: request.order ?? 0 } : {}),
    ...(paths.has('is_active') ? { is_active: request.isActive === false ? 0 : 1 } : {}),
    updated_at: new Date(),
  }
  await inTransaction(news.db, async trx => {
    if (!(await lockCategory(trx, tenant, request.id))) throw categoryNotFound()
    if (paths.size > 0) await writeRecord(trx, 'categories', { ...tenant, id: request.id }, set)
  }).catch(refuseTaken)
  const [row] = await listCategories(news.db, tenant, seenBy(tenant, context), request.id)
  if (!row) throw categoryNotFound()
  return { category: categoryOf(row) }
}

/** Deletes a category; its pages stay, uncategorised. */
async function deleteCategory(news: Context, id: string, context: HandlerContext) {
  const tenant = await openCategory(news, context, id)
  await inTransaction(news.db, async trx => {
    if (!(await lockCategory(trx, tenant, id))) throw categoryNotFound()
    const pages = await removeFromPages(trx, tenant, id)
    await writeRecord(trx, 'categories', { ...tenant, id }, { deleted_at: new Date(), live_slug: null })
    await recountMoved(
      trx,
      tenant,
      pages.map(before => ({ before, after: { ...before, category_id: null } })),
    )
  })
  return { message: 'Category deleted', id }
}

export const categoryService = (news: Context): Rpc =>
  implement(CategoryService, {
    createCategory: (request, context) => createCategory(news, request, context),
    listCategories: async (_request, context) => ({
      data: (await listCategories(news.db, tenantOf(context), seenBy(tenantOf(context), context))).map(row =>
        categoryOf(row),
      ),
    }),
    updateCategory: (request, context) => updateCategory(news, request, context),
    deleteCategory: ({ id }, context) => deleteCategory(news, id, context),
  })
