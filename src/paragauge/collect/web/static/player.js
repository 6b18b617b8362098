/* Plays the segment of a clip, and no more of it unless asked; keeps a form from being sent twice. */
"use strict";

for (const player of document.querySelectorAll("[data-player]")) {
  const video = player.querySelector("video");
  const image = player.querySelector("img");
  const buttons = player.querySelector("[data-buttons]");
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (buttons) buttons.hidden = false;
  for (const link of player.querySelectorAll("[data-without-script]")) link.hidden = true;
  if (video) segments(player, video, calm);
  if (image) {
    player.querySelector("[data-again]")?.addEventListener("click", () => {
      const source = image.src;
      image.src = "";
      image.src = source;
    });
  }
}

function segments(player, video, calm) {
  const start = Number(video.dataset.start);
  const end = Number(video.dataset.end);
  const status = player.querySelector("[data-status]");
  let whole = false;

  // The fragment in the address is for browsers without script; here the limits are ours.
  video.src = video.src.split("#")[0];
  video.muted = true;

  const play = (from, all) => {
    whole = all;
    video.currentTime = from;
    status.textContent = all ? "Playing all of the clip." : "";
    video.play().catch(() => { status.textContent = "Press play to watch."; });
  };
  const watch = () => {
    if (!whole && video.currentTime >= end) {
      video.pause();
      status.textContent = "End of the segment.";
    } else if (!video.paused) {
      requestAnimationFrame(watch);
    }
  };
  video.addEventListener("play", () => {
    if (!whole && (video.currentTime < start || video.currentTime >= end)) video.currentTime = start;
    requestAnimationFrame(watch);
  });
  video.addEventListener("timeupdate", () => { if (!video.paused) watch(); });
  video.addEventListener("error", () => {
    status.textContent = "The clip cannot be played here. Please skip this task.";
  });
  video.addEventListener("loadedmetadata", () => {
    if (calm) video.currentTime = start;
    else play(start, false);
  }, { once: true });
  video.load();
  player.querySelector("[data-segment]").addEventListener("click", () => play(start, false));
  player.querySelector("[data-all]").addEventListener("click", () => play(0, true));
}

for (const form of document.querySelectorAll("form[data-once]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-once]")) delete form.dataset.sent;
});

for (const line of document.querySelectorAll("[data-left]")) {
  const end = Date.now() + 1000 * Number(line.dataset.left);
  const count = (number, unit) => `${number} ${unit}${number === 1 ? "" : "s"}`;
  const tick = () => {
    const left = Math.ceil((end - Date.now()) / 1000);
    if (left <= 0) {
      line.textContent = line.dataset.over;
      line.className = "warning";
      line.setAttribute("role", "status");
      clearInterval(ticking);
    } else {
      line.querySelector("span").textContent =
        left < 90 ? count(left, "second") : count(Math.round(left / 60), "minute");
    }
  };
  const ticking = setInterval(tick, 1000);
  document.addEventListener("visibilitychange", tick);
}

document.querySelector("[data-problems]")?.focus();
