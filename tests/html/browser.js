// SPDX-License-Identifier: GPL-2.0
"use strict";
/*
 * Headless Chromium, controlled by the DevTools protocol over a pipe.
 */
const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const LIMIT_MS = 60000;

class Browser {
	constructor(program) {
		this.profile = fs.mkdtempSync(path.join(os.tmpdir(), "barepmu-html-"));
		/*
		 * Without the browser's sandbox: root and containers have none, and all pages are
		 * our own.
		 */
		this.child = spawn(program, ["--headless", "--no-sandbox",
			"--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
			"--user-data-dir=" + this.profile,
			"--remote-debugging-pipe", "about:blank"],
		{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
		this.next = 1;
		this.waiting = new Map();
		/*
		 * URLs that the page has requested, and errors of its script; both must stay
		 * empty.
		 */
		this.requests = [];
		this.errors = [];
		this.child.on("exit", () => {
			for (const { reject } of this.waiting.values())
				reject(new Error("the browser is gone"));
			this.waiting.clear();
		});
		let rest = "";
		this.child.stdio[4].on("data", (chunk) => {
			const messages = (rest + chunk).split("\0");
			rest = messages.pop();
			messages.forEach((text) => this.take(JSON.parse(text)));
		});
	}

	take(message) {
		const call = this.waiting.get(message.id);
		if (call) {
			this.waiting.delete(message.id);
			clearTimeout(call.timer);
			if (message.error)
				call.reject(new Error(message.error.message));
			else
				call.resolve(message.result);
		} else if (message.method === "Network.requestWillBeSent") {
			this.requests.push(message.params.request.url);
		} else if (message.method === "Runtime.exceptionThrown") {
			this.errors.push(JSON.stringify(message.params));
		} else if (message.method === "Log.entryAdded") {
			this.errors.push(message.params.entry.text);
		} else if (message.method === "Page.loadEventFired") {
			this.loaded();
		}
	}

	send(method, params = {}) {
		const id = this.next++;
		this.child.stdio[3].write(JSON.stringify({ id, method, params,
			sessionId: this.session }) + "\0");
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				this.waiting.delete(id);
				reject(new Error(method + ": no answer"));
			}, LIMIT_MS);
			this.waiting.set(id, { resolve, reject, timer });
		});
	}

	async start() {
		const { targetInfos } = await this.send("Target.getTargets");
		const { targetId } = targetInfos.find((t) => t.type === "page");
		const { sessionId } = await this.send("Target.attachToTarget",
			{ targetId, flatten: true });
		this.session = sessionId;
		for (const domain of ["Page", "Runtime", "Network", "Log"])
			await this.send(domain + ".enable");
	}

	async look(width, dark) {
		await this.send("Emulation.setDeviceMetricsOverride", { width,
			height: 900, deviceScaleFactor: 1, mobile: false });
		await this.send("Emulation.setEmulatedMedia", { features: [
			{ name: "prefers-color-scheme",
				value: dark ? "dark" : "light" }] });
	}

	async open(file) {
		const done = new Promise((resolve) => { this.loaded = resolve; });
		await this.send("Page.navigate", { url: "file://" + file });
		await done;
	}

	async eval(expression) {
		const { result, exceptionDetails } = await this.send(
			"Runtime.evaluate", { expression, returnByValue: true,
				awaitPromise: true });
		if (exceptionDetails)
			throw new Error(expression + ": " +
				exceptionDetails.exception.description);
		return result.value;
	}

	/* Waits until the page has drawn what earlier events changed. */
	async drawn() {
		await this.eval(`new Promise((done) => requestAnimationFrame(() =>
			requestAnimationFrame(() => done())))`);
	}

	/* Opens a <details> element, whose contents the page makes when it is opened. */
	async unfold(selector) {
		await this.eval(`new Promise((done) => {
			const d = document.querySelector(${JSON.stringify(selector)});
			if (d.open && d.children.length > 1)
				return done();
			d.addEventListener("toggle", () => done(), { once: true });
			d.open = true;
		})`);
	}

	/* Returns the position of the middle of an element, or of another fraction of its size. */
	async position(selector, fx = 0.5, fy = 0.5) {
		return this.eval(`(() => {
			const e = document.querySelector(${JSON.stringify(selector)});
			e.scrollIntoView({ block: "center" });
			const b = e.getBoundingClientRect();
			return [b.left + b.width * ${fx}, b.top + b.height * ${fy}];
		})()`);
	}

	async mouse(type, selector, fx, fy) {
		const [x, y] = await this.position(selector, fx, fy);
		await this.send("Input.dispatchMouseEvent", { type, x, y,
			button: type === "mouseMoved" ? "none" : "left",
			clickCount: 1 });
	}

	async click(selector, fx, fy) {
		await this.mouse("mousePressed", selector, fx, fy);
		await this.mouse("mouseReleased", selector, fx, fy);
	}

	async hover(selector, fx, fy) {
		await this.mouse("mouseMoved", selector, fx, fy);
		await this.drawn();
		return this.eval(`document.getElementById("tip").hidden ? "" :
			document.getElementById("tip").textContent`);
	}

	async screenshot(file) {
		const { cssContentSize } = await this.send("Page.getLayoutMetrics");
		const { data } = await this.send("Page.captureScreenshot", {
			captureBeyondViewport: true, clip: { x: 0, y: 0, scale: 1,
				width: cssContentSize.width,
				height: cssContentSize.height } });
		fs.writeFileSync(file, Buffer.from(data, "base64"));
	}

	async print(file) {
		const { data } = await this.send("Page.printToPDF",
			{ printBackground: true });
		fs.writeFileSync(file, Buffer.from(data, "base64"));
	}

	async close() {
		const gone = new Promise((resolve) => this.child.on("exit", resolve));
		this.session = undefined;
		await this.send("Browser.close").catch(() => this.child.kill());
		await gone;
		fs.rmSync(this.profile, { recursive: true, force: true,
			maxRetries: 5 });
	}
}

module.exports = { Browser };
