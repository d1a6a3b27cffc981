/** The product's version, as MCP clients and upstream hosts are told. A test keeps it equal to that of package.json. */
export const VERSION = "0.1.0";
