/** One shape for everything that can go wrong with a call: RFC 9457 from the server, or no answer at all. */
export interface FieldError {
  field: string;
  code: string;
  message: string;
}

export class ApiProblem extends Error {
  /** HTTP status; 0 when the server was not reached. */
  readonly status: number;
  readonly title: string;
  /** Stable machine code, `network` when the server was not reached. */
  readonly code: string;
  /** Wording of the server in the person's language; empty when the server says nothing people should read. */
  readonly detail: string;
  readonly requestId: string | null;
  readonly fieldErrors: FieldError[];
  /** Seconds of `Retry-After`, when given. */
  readonly retryAfter: number | null;
  /** Further members of the problem document, such as the new total of `price_changed`. */
  readonly members: Record<string, unknown>;

  constructor(init: {
    status: number;
    title?: string;
    code: string;
    detail?: string;
    requestId?: string | null;
    fieldErrors?: FieldError[];
    retryAfter?: number | null;
    members?: Record<string, unknown>;
  }) {
    super(`${init.status} ${init.code}`);
    this.name = 'ApiProblem';
    this.status = init.status;
    this.title = init.title ?? '';
    this.code = init.code;
    this.detail = init.detail ?? '';
    this.requestId = init.requestId ?? null;
    this.fieldErrors = init.fieldErrors ?? [];
    this.retryAfter = init.retryAfter ?? null;
    this.members = init.members ?? {};
  }

  /** Worth sending the same request again: nothing reached us, the server is busy, or it failed. */
  get transient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Maps an unsuccessful answer. Bodies that are not a problem document (a proxy's HTML page) keep only their status. */
export function toProblem(response: Response, body: unknown): ApiProblem {
  const document = isRecord(body) ? body : {};
  const errors = Array.isArray(document['errors']) ? document['errors'] : [];
  const retryAfter = Number(response.headers.get('Retry-After'));
  return new ApiProblem({
    status: response.status,
    title: text(document['title']),
    code: text(document['code']) || `http_${response.status}`,
    // a 5xx never says why; whatever its body holds is not for people
    detail: response.status >= 500 ? '' : text(document['detail']),
    requestId: response.headers.get('X-Request-Id'),
    fieldErrors: errors.filter(isRecord).map((e) => ({
      field: text(e['field']),
      code: text(e['code']),
      message: text(e['message']),
    })),
    retryAfter: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
    members: document,
  });
}

export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  return new ApiProblem({ status: 0, code: 'network' });
}
