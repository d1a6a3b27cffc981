import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: "unit", include: ["test/unit/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "e2e",
          // Stacks of several processes start and stop in these; on a busy machine that takes its time.
          testTimeout: 120_000,
          include: ["test/e2e/**/*.test.ts", "test/workers/**/*.test.ts"],
          globalSetup: ["test/helpers/bundle.ts"],
        },
      },
    ],
  },
});
