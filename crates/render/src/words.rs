//! Texts that rendering adds to a document, in several languages.

/// Languages with translations, English first.
const LANGUAGES: [&str; 10] = ["en", "fr", "es", "zh", "ja", "de", "nl", "no", "pt-br", "ru"];

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident = [$english:literal $(, $other:literal)* $(,)?],)*) => {
        /// Texts that rendering adds to a document, in one language.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Words { $($(#[$doc])* pub $name: &'static str,)* }

        impl Words {
            /// English.
            pub const ENGLISH: Self = Self { $($name: $english,)* };

            fn at(index: usize) -> Self {
                Self { $($name: {
                    const TEXTS: [&str; LANGUAGES.len()] = [$english $(, $other)*];
                    TEXTS.get(index).copied().unwrap_or($english)
                },)* }
            }
        }
    };
}

impl Words {
    /// Returns the texts in a language by its tag, English if there is no translation. `pt` selects `pt-br`; `nb` and
    /// `nn` select `no`.
    #[must_use]
    pub fn of(language: &str) -> Self {
        let tag = language.to_ascii_lowercase();
        let primary = match tag.split('-').next().unwrap_or_default() {
            "pt" => "pt-br",
            "nb" | "nn" => "no",
            primary => primary,
        };
        let known = |name: &str| LANGUAGES.iter().position(|language| *language == name);
        Self::at(known(&tag).or_else(|| known(primary)).unwrap_or_default())
    }
}

words! {
    /// Label of an information hint.
    info = ["Note", "Note", "Nota", "注意", "メモ", "Hinweis", "Opmerking", "Merk", "Nota", "Заметка"],
    /// Label of a success hint.
    success = ["Tip", "Conseil", "Consejo", "提示", "ヒント", "Tipp", "Tip", "Tips", "Dica", "Совет"],
    /// Label of a warning hint.
    warning = ["Warning", "Attention", "Advertencia", "警告", "警告", "Warnung", "Waarschuwing", "Advarsel", "Aviso", "Внимание"],
    /// Label of a danger hint.
    danger = ["Danger", "Danger", "Peligro", "危险", "危険", "Gefahr", "Gevaar", "Fare", "Perigo", "Опасно"],
    /// Label of a checked box.
    done = ["Done", "Fait", "Hecho", "已完成", "完了", "Erledigt", "Klaar", "Ferdig", "Feito", "Готово"],
    /// Label of an open box.
    open = ["To do", "À faire", "Pendiente", "待办", "未完了", "Offen", "Te doen", "Å gjøre", "A fazer", "Не готово"],
    /// Label of a table.
    table = ["Table", "Tableau", "Tabla", "表格", "表", "Tabelle", "Tabel", "Tabell", "Tabela", "Таблица"],
    /// Label of a set of tabs.
    tabs = ["Tabs", "Onglets", "Pestañas", "标签页", "タブ", "Reiter", "Tabbladen", "Faner", "Abas", "Вкладки"],
    /// Title of a tab without one.
    tab = ["Tab", "Onglet", "Pestaña", "标签", "タブ", "Reiter", "Tabblad", "Fane", "Aba", "Вкладка"],
    /// Label of a heading's link to itself.
    link_to = ["Link to this section", "Lien vers cette section", "Enlace a esta sección", "本节链接", "このセクションへのリンク", "Link zu diesem Abschnitt", "Link naar deze sectie", "Lenke til denne delen", "Link para esta seção", "Ссылка на раздел"],
    /// Button that shows all lines of a listing.
    show_all = ["Show all lines", "Afficher toutes les lignes", "Mostrar todas las líneas", "显示所有行", "すべての行を表示", "Alle Zeilen zeigen", "Alle regels tonen", "Vis alle linjer", "Mostrar todas as linhas", "Показать все строки"],
    /// Button that shows fewer lines of a listing.
    show_less = ["Show fewer lines", "Afficher moins de lignes", "Mostrar menos líneas", "显示较少行", "行を減らす", "Weniger Zeilen zeigen", "Minder regels tonen", "Vis færre linjer", "Mostrar menos linhas", "Свернуть строки"],
    /// Button that opens an embedded page. The name of the provider follows.
    show_embed = ["Open on", "Ouvrir sur", "Abrir en", "打开于", "開く：", "Öffnen bei", "Openen op", "Åpne på", "Abrir em", "Открыть на"],
    /// Text of a link whose target does not exist.
    broken = ["This link leads nowhere", "Ce lien ne mène nulle part", "Este enlace no lleva a ninguna parte", "此链接无效", "このリンクは無効です", "Dieser Link führt ins Leere", "Deze link leidt nergens heen", "Denne lenken fører ingen steder", "Este link não leva a lugar nenhum", "Ссылка никуда не ведёт"],
    /// Text for a picture that can't be shown.
    image = ["Image", "Image", "Imagen", "图片", "画像", "Bild", "Afbeelding", "Bilde", "Imagem", "Изображение"],
    /// Text for a file that does not exist.
    missing_file = ["A missing file", "Un fichier absent", "Un archivo que falta", "文件不存在", "ファイルがありません", "Eine fehlende Datei", "Een ontbrekend bestand", "En fil som mangler", "Um arquivo ausente", "Файл отсутствует"],
    /// Text for a reusable content that does not exist.
    missing_content = ["Missing content", "Un contenu absent", "Contenido que falta", "内容不存在", "コンテンツがありません", "Fehlender Inhalt", "Ontbrekende inhoud", "Innhold som mangler", "Conteúdo ausente", "Содержимое отсутствует"],
    /// Text at the end of a page that is too long.
    cut = ["The rest of this page is too long to be shown.", "Le reste de cette page est trop long pour être affiché.", "El resto de esta página es demasiado largo para mostrarse.", "本页其余内容过长，无法显示。", "このページの残りは長すぎて表示できません。", "Der Rest dieser Seite ist zu lang, um gezeigt zu werden.", "De rest van deze pagina is te lang om te tonen.", "Resten av siden er for lang til å vises.", "O restante desta página é longo demais para ser exibido.", "Остаток страницы слишком длинный."],
    /// Label of a rating, before its number.
    rating = ["Rating", "Note", "Valoración", "评分", "評価", "Bewertung", "Beoordeling", "Vurdering", "Avaliação", "Оценка"],
    /// Word between a number and the maximum.
    of = ["of", "sur", "de", "/", "/", "von", "van", "av", "de", "из"],
    /// Value of a checked cell.
    yes = ["Yes", "Oui", "Sí", "是", "はい", "Ja", "Ja", "Ja", "Sim", "Да"],
    /// Value of an unchecked cell.
    no = ["No", "Non", "No", "否", "いいえ", "Nein", "Nee", "Nei", "Não", "Нет"],
    /// Label of a prompt.
    prompt = ["Prompt", "Invite", "Instrucción", "提示词", "プロンプト", "Prompt", "Prompt", "Ledetekst", "Prompt", "Запрос"],
    /// Button that shows the text of a prompt.
    show_prompt = ["Show the prompt", "Afficher l’invite", "Mostrar la instrucción", "显示提示词", "プロンプトを表示", "Prompt zeigen", "Prompt tonen", "Vis ledeteksten", "Mostrar o prompt", "Показать запрос"],
    /// Link that opens a prompt in an assistant, whose name follows.
    open_in = ["Open in", "Ouvrir dans", "Abrir en", "打开：", "開く：", "Öffnen in", "Openen in", "Åpne i", "Abrir em", "Открыть в"],
    /// Summary of the source of a diagram.
    diagram = ["Diagram", "Diagramme", "Diagrama", "图表", "図", "Diagramm", "Diagram", "Diagram", "Diagrama", "Диаграмма"],
    /// Label of a block of an integration.
    integration = ["Block of the integration", "Bloc de l’intégration", "Bloque de la integración", "集成区块", "連携ブロック", "Block der Integration", "Blok van de integratie", "Blokk fra integrasjonen", "Bloco da integração", "Блок интеграции"],
    /// Label of a column of steps.
    step = ["Step", "Étape", "Paso", "步骤", "手順", "Schritt", "Stap", "Trinn", "Etapa", "Шаг"],
    /// Mark of a required item.
    required = ["required", "obligatoire", "obligatorio", "必填", "必須", "erforderlich", "verplicht", "påkrevd", "obrigatório", "обязательно"],
    /// Mark of a deprecated item.
    deprecated = ["deprecated", "obsolète", "obsoleto", "已弃用", "非推奨", "veraltet", "verouderd", "utgått", "obsoleto", "устарело"],
    /// Sentence about a deprecated operation.
    is_deprecated = ["This operation is deprecated.", "Cette opération est obsolète.", "Esta operación está obsoleta.", "此操作已弃用。", "この操作は非推奨です。", "Diese Operation ist veraltet.", "Deze bewerking is verouderd.", "Denne operasjonen er utgått.", "Esta operação está obsoleta.", "Операция устарела."],
    /// Title of the authorization of an operation.
    authorization = ["Authorization", "Autorisation", "Autorización", "授权", "認可", "Autorisierung", "Autorisatie", "Autorisasjon", "Autorização", "Авторизация"],
    /// Text for an operation without authorization.
    none = ["None", "Aucune", "Ninguna", "无", "なし", "Keine", "Geen", "Ingen", "Nenhuma", "Нет"],
    /// Title of parameters in the path.
    path_parameters = ["Path parameters", "Paramètres du chemin", "Parámetros de ruta", "路径参数", "パスパラメータ", "Pfadparameter", "Padparameters", "Stiparametere", "Parâmetros de caminho", "Параметры пути"],
    /// Title of parameters in the query.
    query_parameters = ["Query parameters", "Paramètres de requête", "Parámetros de consulta", "查询参数", "クエリパラメータ", "Abfrageparameter", "Queryparameters", "Spørreparametere", "Parâmetros de consulta", "Параметры запроса"],
    /// Title of parameters in headers.
    header_parameters = ["Header parameters", "Paramètres d’en-tête", "Parámetros de cabecera", "请求头参数", "ヘッダーパラメータ", "Header-Parameter", "Headerparameters", "Hodeparametere", "Parâmetros de cabeçalho", "Параметры заголовков"],
    /// Title of parameters in cookies.
    cookie_parameters = ["Cookie parameters", "Paramètres de cookie", "Parámetros de cookie", "Cookie 参数", "Cookie パラメータ", "Cookie-Parameter", "Cookieparameters", "Informasjonskapsler", "Parâmetros de cookie", "Параметры cookie"],
    /// Title of the body of a request.
    request_body = ["Request body", "Corps de la requête", "Cuerpo de la solicitud", "请求体", "リクエスト本文", "Anfragekörper", "Aanvraagtekst", "Forespørselskropp", "Corpo da requisição", "Тело запроса"],
    /// Title of responses.
    responses = ["Responses", "Réponses", "Respuestas", "响应", "レスポンス", "Antworten", "Antwoorden", "Svar", "Respostas", "Ответы"],
    /// Title of headers of a response.
    headers = ["Headers", "En-têtes", "Cabeceras", "响应头", "ヘッダー", "Header", "Headers", "Hoder", "Cabeçalhos", "Заголовки"],
    /// Title of an example of a request.
    request = ["Request", "Requête", "Solicitud", "请求", "リクエスト", "Anfrage", "Aanvraag", "Forespørsel", "Requisição", "Запрос"],
    /// Title of an example of a response.
    example = ["Example", "Exemple", "Ejemplo", "示例", "例", "Beispiel", "Voorbeeld", "Eksempel", "Exemplo", "Пример"],
    /// Title of the requests that a service makes to the client.
    callbacks = ["Callbacks", "Rappels", "Retrollamadas", "回调", "コールバック", "Rückrufe", "Callbacks", "Tilbakekall", "Retornos de chamada", "Обратные вызовы"],
    /// Button that shows the properties of an object.
    properties = ["Properties", "Propriétés", "Propiedades", "属性", "プロパティ", "Eigenschaften", "Eigenschappen", "Egenskaper", "Propriedades", "Свойства"],
    /// Title of models.
    models = ["Models", "Modèles", "Modelos", "模型", "モデル", "Modelle", "Modellen", "Modeller", "Modelos", "Модели"],
    /// Text for an operation that can't be shown.
    missing_api = ["This part of the specification is missing", "Cette partie de la spécification est absente", "Esta parte de la especificación falta", "规范中没有此部分", "仕様のこの部分はありません", "Dieser Teil der Spezifikation fehlt", "Dit deel van de specificatie ontbreekt", "Denne delen av spesifikasjonen mangler", "Esta parte da especificação está ausente", "Эта часть спецификации отсутствует"],
    /// Label of a list of alternative schemas.
    one_of = ["One of", "L’un de", "Uno de", "其中之一", "いずれか", "Eines von", "Een van", "En av", "Um de", "Один из"],
}

/// English names of months.
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Returns a date in the format that a block of updates specifies; the text itself if it is not a date.
pub(crate) fn date(text: &str, format: &str) -> String {
    let day = text.get(..10).unwrap_or(text);
    let mut parts = day.splitn(3, '-').map(|part| part.parse::<usize>().ok());
    let (Some(Some(year)), Some(Some(month)), Some(Some(day_of_month))) =
        (parts.next(), parts.next(), parts.next())
    else {
        return text.to_owned();
    };
    let Some(name) = month.checked_sub(1).and_then(|month| MONTHS.get(month)) else {
        return text.to_owned();
    };
    match format {
        "numeric" => day.to_owned(),
        "short" => format!("{} {day_of_month}, {year}", name.get(..3).unwrap_or(name)),
        _ => format!("{name} {day_of_month}, {year}"),
    }
}

/// Returns a number of bytes in human-readable units.
pub(crate) fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if count < 1_000 {
        return format!("{count} B");
    }
    let mut tenths = count / 100;
    let mut unit = 0;
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths /= 1_000;
        unit += 1;
    }
    let name = UNITS.get(unit).unwrap_or(&"");
    if tenths >= 100 {
        format!("{} {name}", tenths / 10)
    } else {
        format!("{}.{} {name}", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_their_words_and_others_english_ones() {
        for (tag, info) in [
            ("de", "Hinweis"),
            ("pt", "Nota"),
            ("zh-TW", "注意"),
            ("nb", "Merk"),
            ("he", "Note"),
            ("", "Note"),
        ] {
            assert_eq!(Words::of(tag).info, info, "{tag}");
        }
        assert_eq!(Words::of("en-GB"), Words::ENGLISH);
    }

    #[test]
    fn dates_and_sizes_are_words() {
        assert_eq!(date("2026-01-02", "full"), "January 2, 2026");
        assert_eq!(date("2026-12-31T23:59:59Z", "short"), "Dec 31, 2026");
        assert_eq!(date("2026-01-02", "numeric"), "2026-01-02");
        assert_eq!(date("soon", "full"), "soon");
        assert_eq!(date("2026-13-01", "full"), "2026-13-01");
        assert_eq!(
            (bytes(999), bytes(1_500), bytes(15_000)),
            ("999 B".into(), "1.5 kB".into(), "15 kB".into())
        );
        assert_eq!(bytes(2_340_000), "2.3 MB");
    }
}
