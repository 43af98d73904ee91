// Finds the document by a relative URL, so it works below any base path, and contacts no external validator.
window.onload = function () {
  window.ui = SwaggerUIBundle({
    dom_id: "#swagger-ui",
    url: "../v1/openapi.json",
    validatorUrl: "none",
    deepLinking: true,
    layout: "StandaloneLayout",
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl],
  });
};
