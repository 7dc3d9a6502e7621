// Written by npm run gen from gen/openapi/media.json; never edited.
import type { CallOptions, ClientRoutes } from '../../edge/client/call.ts'

/** Confirms the change. */
export type DeleteMediaResponse = {
  /** Human-readable confirmation. */
  message: string
  /** File id. */
  id: string
}

/** Storage of an ecosystem. One MO is 1,000,000 bytes. */
export type GetMediaUsageResponse = {
  /** Ecosystem id. */
  ecosystemId: string
  /** Quota in `unit`. */
  max_size: number
  /** Unit of the quota. */
  unit: 'MO'
  /** Bytes stored, and reserved by running uploads; an integer. */
  usedBytes: number
  /** Bytes that can still be stored; an integer. */
  availableBytes: number
  /** Number of stored files. */
  filesCount: number
}

/** A page of files. */
export type ListMediaResponse = {
  /** Files, newest first. */
  data: MediaFile[]
  /** Pagination. */
  meta: PageMeta | null
}

/** A stored file. */
export type MediaFile = {
  /** File id. Random. */
  id: string
  /** URL of the file. */
  fileUrl: string
  /** URL of the WebP thumbnail of 480 pixels, upright; null for files without one: SVG, HEIC, damaged images, and files that aren't images. */
  thumbnailUrl: string | null
  /** Media type detected from the bytes. */
  contentType: string
  /** Size in bytes. */
  size: number
  /** File name from the uploader, sanitised. */
  fileName: string
  /** Folder. */
  folder: string
  /** Id of the ecosystem that owns the file. */
  ecosystemId: string
  /** Width in pixels as displayed; null for files that aren't images. */
  width: number | null
  /** Height in pixels as displayed; null for files that aren't images. */
  height: number | null
  /** Member id of the uploader; null for a file stored by a service. */
  uploadedBy: string | null
  /** Time of the upload. */
  createdAt: string | null
}

/** Pagination of a list. */
export type PageMeta = {
  /** Number of matching records on all pages. */
  total: number
  /** Number of this page, starting at 1. */
  page: number
  /** Records per page, at most 100. */
  limit: number
  /** Number of pages: ceil(total / limit). */
  totalPages: number
  /** Cursor of the next page; absent on the last one, and on lists without cursors. */
  nextCursor?: string
}

/** An error. `error` is machine-readable, `message` human-readable. */
export type Error = {
  statusCode: number
  error: string
  message: string
  requestId: string
}

/** All invalid fields. */
export type ValidationErrors = {
  error: FieldError[]
}

/** An invalid field: its path as the client wrote it, a human-readable message, a machine-readable rule. */
export type FieldError = {
  path: string
  message: string
  rule: string
}

/** Media service. */
export type MediaOperations = {
  /** Lists the files of an ecosystem, newest first.
   *
   * **Callers:** person, credential, service key · **Tenant:** ecosystem (`ecosystemId`)
   *
   * Added to the original contract: clients show the stored files. */
  listMedia(
    input?: {
      /** Ecosystem id; the caller's own when absent. */
      ecosystemId?: string
      /** Only files in this folder. */
      folder?: string
      /** Page number, starting at 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent. Larger values than 100 count as 100. */
      limit?: number
      /** nextCursor of the page before; no page may be given with it. */
      cursor?: string
    },
    options?: CallOptions,
  ): Promise<ListMediaResponse>
  /** Streams a file to any caller who knows its unguessable id, so that `<img>` can show it. Types that a browser could execute are sent as attachments. Supports Range, If-Range, If-None-Match and If-Modified-Since. RangeNotSatisfiableError for a range outside the file. NotFoundError for an unknown file, and for the thumbnail of a file without one; ServiceUnavailableError while too many thumbnails are being generated.
   *
   * **Callers:** public
   *
   * Added to the original contract: serves the address in fileUrl. */
  downloadMedia(
    input: {
      /** File id. */
      id: string
      /** original, or a WebP thumbnail that fits into a square: small (160 pixels), medium or thumbnail (480), large (1280); original when absent. */
      variant?: 'original' | 'thumbnail' | 'small' | 'medium' | 'large'
    },
    options?: CallOptions,
  ): Promise<Response>
  /** Deletes a file and frees its space. Allowed for its uploader and holders of manage_ecosystem: ForbiddenError for others. NotFoundError for an unknown file.
   *
   * **Callers:** person, credential, service key · **Tenant:** the record's tenant
   *
   * Added to the original contract: removes stored files. */
  deleteMedia(
    input: {
      /** File id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteMediaResponse>
  /** Stores a file. The type is detected from the bytes, the name is random, and space is reserved before bytes are accepted. ForbiddenError for a foreign ecosystem; ValidationError without a file, for an image with too many pixels, or for an unknown ecosystem; ConflictError for an ecosystem whose hotel is closed; 413 with the remaining space when the quota or the size limit is exceeded; ServiceUnavailableError while the storage is full. With an Idempotency-Key, repeating an upload within a day returns the same record: ConflictError while the first upload is running, UnprocessableError for another file.
   *
   * **Callers:** person, credential, service key · **Tenant:** the record's tenant */
  uploadMedia(
    input: {
      body: {
        /** The file. */
        file: Blob
        /** Folder, such as qr-codes; general when empty. Letters, digits, - and _, with / between parts. */
        folder?: string
        /** Id of the ecosystem that owns the file; the caller's own when empty. Required for services. */
        ecosystemId?: string
      }
    },
    options?: CallOptions,
  ): Promise<MediaFile>
  /** Returns the used storage and the quota of an ecosystem.
   *
   * **Callers:** person, credential, service key · **Tenant:** ecosystem (`ecosystemId`)
   *
   * Added to the original contract: clients show the remaining storage. */
  getMediaUsage(
    input: {
      /** Ecosystem id. */
      ecosystemId: string
    },
    options?: CallOptions,
  ): Promise<GetMediaUsageResponse>
}

export const mediaRoutes: ClientRoutes<MediaOperations> = {
  listMedia: {
    verb: 'GET',
    path: '/media/files',
    query: ['ecosystemId', 'folder', 'page', 'limit', 'cursor'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  downloadMedia: {
    verb: 'GET',
    path: '/media/files/{id}',
    query: ['variant'],
    body: 'none',
    answer: 'stream',
    isRepeatable: true,
    keyed: false,
    open: true,
  },
  deleteMedia: {
    verb: 'DELETE',
    path: '/media/files/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  uploadMedia: {
    verb: 'POST',
    path: '/media/upload',
    query: [],
    body: 'form',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  getMediaUsage: {
    verb: 'GET',
    path: '/media/usage/{ecosystemId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
}
