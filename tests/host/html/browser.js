// SPDX-License-Identifier: GPL-2.0
/*
 * Drives a headless Chromium through its DevTools protocol, with messages over a pipe, so that no
 * package for Node.js is necessary.
 */
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

/* How long the browser may take for an answer, in milliseconds. Tests run on busy machines. */
const PATIENCE = 300000;

const SWITCHES = [
	"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-extensions",
	"--disable-sync", "--force-color-profile=srgb", "--hide-scrollbars=false", "--remote-debugging-pipe",
];

function errorText({ exception, text }) {
	return (exception && exception.description) || text;
}

/**
 * class Browser - a browser with one page
 *
 * errors contains the errors that the page threw or wrote to the console. requests contains the
 * addresses of all files that the page tried to load, except itself.
 */
class Browser {
	/**
	 * start() - start the browser
	 * @size: { width, height, ratio } of the window
	 */
	static async start(size = {}) {
		const browser = new Browser();
		await browser.launch();
		await browser.resize(size);
		return browser;
	}

	async launch() {
		this.profile = fs.mkdtempSync(path.join(os.tmpdir(), "lkst-browser-"));
		this.process = spawn("chromium", [...SWITCHES, `--user-data-dir=${this.profile}`, "about:blank"],
			{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true });
		this.waiting = new Map();
		this.listeners = [];
		this.number = 0;
		this.text = [];
		this.errors = [];
		this.requests = [];
		this.ended = new Promise((resolve) => {
			this.process.on("exit", resolve);
		});
		this.process.on("error", (error) => this.fail(error));
		this.process.on("exit", () => this.fail(new Error("the browser ended")));
		this.process.stdio[3].on("error", () => {});
		this.process.stdio[4].on("data", (data) => this.receive(data));
		const { targetInfos } = await this.send("Target.getTargets", {}, false);
		const { targetId } = targetInfos.find((info) => info.type === "page");
		({ sessionId: this.session } = await this.send("Target.attachToTarget", { targetId, flatten: true }, false));
		for (const domain of ["Page", "Runtime", "Network", "Log"])
			await this.send(`${domain}.enable`);
	}

	/* Messages end with a zero byte, and may arrive in pieces. */
	receive(data) {
		let rest = data;
		for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
			this.text.push(rest.subarray(0, end));
			this.message(JSON.parse(Buffer.concat(this.text).toString()));
			this.text = [];
			rest = rest.subarray(end + 1);
		}
		this.text.push(rest);
	}

	message({ id, result, error, method, params }) {
		if (id !== undefined) {
			const { resolve, reject } = this.waiting.get(id);
			this.waiting.delete(id);
			if (error)
				reject(new Error(error.message));
			else
				resolve(result);
			return;
		}
		this.watch(method, params);
		for (const listener of this.listeners)
			listener(method, params);
	}

	/* Collect errors and requests of the page. */
	watch(method, params) {
		switch (method) {
		case "Runtime.exceptionThrown":
			this.errors.push(errorText(params.exceptionDetails));
			break;
		case "Runtime.consoleAPICalled":
			if (params.type === "error" || params.type === "warning")
				this.errors.push(params.args.map((arg) => arg.value || arg.description).join(" "));
			break;
		case "Log.entryAdded":
			if (params.entry.level === "error" || params.entry.level === "warning")
				this.errors.push(params.entry.text);
			break;
		case "Network.requestWillBeSent":
			if (params.type !== "Document" || ![this.address, "about:blank"].includes(params.request.url.split("#")[0]))
				this.requests.push({ id: params.requestId, url: params.request.url });
			break;
		case "Network.loadingFailed":
			/*
			 * The security policy of the page has blocked the request before it was
			 * sent.
			 */
			if (params.blockedReason === "csp")
				this.requests = this.requests.filter(({ id }) => id !== params.requestId);
			break;
		default:
			break;
		}
	}

	fail(error) {
		for (const { reject } of this.waiting.values())
			reject(error);
		this.waiting.clear();
	}

	send(method, params = {}, ofPage = true) {
		const id = ++this.number;
		const message = { id, method, params };
		if (ofPage)
			message.sessionId = this.session;
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), PATIENCE);
			this.waiting.set(id, {
				resolve: (result) => {
					clearTimeout(timer);
					resolve(result);
				},
				reject: (error) => {
					clearTimeout(timer);
					reject(error);
				},
			});
			this.process.stdio[3].write(`${JSON.stringify(message)}\0`);
		});
	}

	/* Return a promise of the parameters of the next event @method. */
	next(method) {
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => reject(new Error(`${method}: did not happen`)), PATIENCE);
			const listener = (name, params) => {
				if (name !== method)
					return;
				clearTimeout(timer);
				this.listeners = this.listeners.filter((other) => other !== listener);
				resolve(params);
			};
			this.listeners.push(listener);
		});
	}

	async resize({ width = 1280, height = 800, ratio = 1 }) {
		this.size = { width, height, ratio };
		await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: ratio, mobile: false });
	}

	async theme(name) {
		await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: name }] });
	}

	/**
	 * open() - open a file
	 * @hash: the part of the address after "#"
	 */
	async open(file, hash = "") {
		this.address = `file://${file}`;
		this.errors = [];
		this.requests = [];
		/* A page that differs only after the "#" would not be loaded again. */
		for (const url of ["about:blank", `${this.address}${hash ? `#${hash}` : ""}`]) {
			const loaded = this.next("Page.loadEventFired");
			await this.send("Page.navigate", { url });
			await loaded;
		}
	}

	/* Run a function in the page, with arguments that JSON can hold, and return its result. */
	async run(code, ...args) {
		const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
			expression: `(${code})(...${JSON.stringify(args)})`, awaitPromise: true, returnByValue: true,
		});
		if (exceptionDetails)
			throw new Error(errorText(exceptionDetails));
		return result.value;
	}

	/* Wait until a function in the page returns something true, and return that. */
	async until(code, ...args) {
		const end = Date.now() + PATIENCE;
		for (;;) {
			const value = await this.run(code, ...args);
			if (value)
				return value;
			if (Date.now() > end)
				throw new Error(`never true: ${code}`);
			await new Promise((resolve) => {
				setTimeout(resolve, 20);
			});
		}
	}

	mouse(type, x, y, more = {}) {
		return this.send("Input.dispatchMouseEvent", { type, x, y, ...more });
	}

	async click(x, y, more = {}) {
		await this.mouse("mouseMoved", x, y);
		await this.mouse("mousePressed", x, y, { button: "left", buttons: 1, clickCount: 1, ...more });
		await this.mouse("mouseReleased", x, y, { button: "left", clickCount: 1, ...more });
	}

	async drag(x0, y0, x1, y1, more = {}) {
		await this.mouse("mouseMoved", x0, y0, more);
		await this.mouse("mousePressed", x0, y0, { button: "left", buttons: 1, clickCount: 1, ...more });
		for (let i = 1; i <= 5; i++)
			await this.mouse("mouseMoved", x0 + ((x1 - x0) * i) / 5, y0 + ((y1 - y0) * i) / 5,
				{ button: "left", buttons: 1, ...more });
		await this.mouse("mouseReleased", x1, y1, { button: "left", clickCount: 1, ...more });
	}

	wheel(x, y, deltaX, deltaY, modifiers = 0) {
		return this.mouse("mouseWheel", x, y, { deltaX, deltaY, modifiers });
	}

	async key(key, text = key.length === 1 ? key : "") {
		await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", key, text });
		await this.send("Input.dispatchKeyEvent", { type: "keyUp", key });
	}

	async type(text) {
		await this.send("Input.insertText", { text });
	}

	async screenshot(file) {
		const { data } = await this.send("Page.captureScreenshot", { format: "png" });
		fs.writeFileSync(file, Buffer.from(data, "base64"));
	}

	async close() {
		await this.send("Browser.close", {}, false).catch(() => {});
		await this.ended;
		fs.rmSync(this.profile, { recursive: true, force: true });
	}
}

module.exports = { Browser };
