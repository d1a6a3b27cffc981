/** The part of Node's `async_hooks` that is used, for the type checker: Workers have it, their types do not. */
declare module "node:async_hooks" {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, callback: () => R): R;
    getStore(): T | undefined;
  }
}
